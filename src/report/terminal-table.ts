import stringWidth from 'fast-string-width';
import pc from 'picocolors';
import { countOf, formatCount, oneLine } from '../base/format.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';
import { describeCost } from './describe-cost.ts';
import { describeEvents } from './describe-events.ts';
import { describeIntervals, metricLabel } from './format-scores.ts';
import { cacheNote, describeFit, describeSeeds } from './prompt-notes.ts';
import {
  type Cells,
  describeClusters,
  describeJudge,
  describeMissing,
  describeNoAverage,
  describeReasons,
  describeTies,
  scoreTable,
  type TableLine,
} from './score-table.ts';

export interface TerminalOptions {
  readonly width: number;
  readonly color: boolean;
}

type Column = keyof Cells;
type Colors = ReturnType<typeof pc.createColors>;

const gap = '  ';
const leftAligned: readonly Column[] = ['dataset', 'metric', 'interval'];
const smallestName = 12;

/**
 * The scores of a run as a terminal table, with problems below it. Commands in these name the `folder`.
 *
 * @example
 * terminalTable(summary, { width: 80, color: false });
 * // '  dataset     metric    score  interval       rows\n…'
 */
export function terminalTable(
  summary: RunSummary,
  { width, color, folder = 'FOLDER' }: TerminalOptions & { readonly folder?: string },
): string {
  const colors = pc.createColors(color);
  const { columns, lines } = scoreTable(summary);
  const inner = width - gap.length;
  const widths = columnWidths(lines, { columns, width: inner });
  const write = ({ type, cells }: TableLine) => {
    // Where metrics have no column, further ones stand under their dataset.
    const name = type === 'metric' && !widths.has('metric') ? `  ${cells.metric}` : undefined;
    const parts = Array.from(widths, ([column, size]) => {
      const text = column === 'dataset' ? (name ?? cells[column]) : cells[column];
      const aligned = align(text, { column, width: size });
      return type === 'metric' ? aligned : paint(aligned, { column, colors });
    });
    const line = gap + parts.join(gap);
    if (type === 'task') return line;
    return type === 'metric' ? colors.dim(line) : colors.italic(line);
  };
  const parts = Array.from(widths, ([column, size]) => align(column, { column, width: size }));
  const titles = gap + parts.join(gap);
  const rule = colors.dim('─'.repeat(stringWidth(titles)));
  const models = [...new Set(lines.map(({ cells }) => cells.model))];
  const blocks = models.flatMap((model) => [
    rule,
    colors.bold(shorten(model, width)),
    ...lines.filter(({ cells }) => cells.model === model).map(write),
  ]);
  const metrics = widths.has('metric') ? [] : lostMetrics(summary);
  const told = metrics.map((text) => colors.dim(text));
  const below = notes(summary, colors).map((line) =>
    line.replace('typecase score FOLDER ', `typecase score ${folder} `),
  );
  return [colors.dim(titles), ...blocks, rule, ...told, ...below, ''].join('\n');
}

/** Where metrics have no column and are not all the same: which datasets have which. */
function lostMetrics({ results }: RunSummary): string[] {
  const datasets = new Map<string, Set<string>>();
  for (const { metric, dataset, ...kind } of results) {
    const label = oneLine(metricLabel(metric, kind));
    datasets.set(label, (datasets.get(label) ?? new Set()).add(oneLine(dataset)));
  }
  const isTold = datasets.size === 1 && results.every(({ direction }) => direction === undefined);
  if (isTold) return [];
  return Array.from(datasets, ([label, names]) => `${label}: ${[...names].join(', ')}`);
}

interface Layout {
  readonly columns: readonly Column[];
  readonly width: number;
}

/** Told by the column of rows, and below the table, as well: the first to go. */
const lessUrgent: readonly Column[] = ['missing', 'failed', 'unscored', 'all rows'];

/**
 * The columns that fit and their widths. To make room, names are cut as far as they stay apart; then
 * metrics move under their datasets, then other columns go.
 */
function columnWidths(
  lines: readonly TableLine[],
  { columns, width }: Layout,
): Map<Column, number> {
  const widths = new Map<Column, number>();
  for (const column of columns) {
    if (column === 'model') continue;
    const sizes = lines.map(({ cells }) => stringWidth(cells[column]));
    widths.set(column, Math.max(stringWidth(column), ...sizes));
  }
  const excess = () =>
    [...widths.values()].reduce((sum, size) => sum + size + gap.length, -gap.length) - width;
  const names = lines.flatMap(({ type, cells }) => (type === 'metric' ? [] : [cells.dataset]));
  const spare = () => (widths.get('dataset') ?? 0) - leastWidth(names);
  if (excess() > spare() && widths.delete('metric')) {
    names.push(
      ...lines.flatMap(({ type, cells }) => (type === 'metric' ? [`  ${cells.metric}`] : [])),
    );
    widths.set(
      'dataset',
      Math.max(widths.get('dataset') ?? 0, ...names.map((name) => stringWidth(name))),
    );
  }
  for (const column of lessUrgent) if (excess() > spare()) widths.delete(column);
  const nameWidth = widths.get('dataset') ?? 0;
  widths.set('dataset', nameWidth - Math.min(Math.max(0, excess()), spare()));
  return widths;
}

/** How far names can be cut and still be told apart. */
function leastWidth(names: readonly string[]): number {
  const different = [...new Set(names)];
  const longest = Math.max(stringWidth('dataset'), ...different.map((name) => stringWidth(name)));
  for (let width = Math.min(longest, smallestName); width < longest; width += 1) {
    const cut = new Set(different.map((name) => shorten(name, width)));
    if (cut.size === different.length) return width;
  }
  return longest;
}

interface Cell {
  readonly column: Column;
  readonly width: number;
}

function align(text: string, { column, width }: Cell): string {
  const shown = shorten(text, width);
  const padding = ' '.repeat(width - stringWidth(shown));
  return leftAligned.includes(column) ? shown + padding : padding + shown;
}

function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept}…`;
}

function paint(
  text: string,
  { column, colors }: { readonly column: Column; readonly colors: Colors },
): string {
  const isNothing = /^\s*0?$/.test(text);
  if (column === 'score') return colors.bold(text);
  if (column === 'failed' && !isNothing) return colors.red(text);
  if ((column === 'unscored' || column === 'missing') && !isNothing) return colors.yellow(text);
  return column === 'metric' || column === 'interval' || isNothing ? colors.dim(text) : text;
}

/** So many evaluations are named in one line. */
const mostNamed = 3;

/** What is told of several evaluations alike, as one line: `tiny: 12 datasets (a, b, c, …): empty answer`. */
function summedNotes(told: readonly Told[]): Told[] {
  const sums = new Map<string, Told[]>();
  for (const one of told) {
    // Counts differ from dataset to dataset, what happened does not.
    const key = `${one.model} ${sharedText(one.text).replaceAll(/[\d,.]+/g, '#')}`;
    sums.set(key, [...(sums.get(key) ?? []), one]);
  }
  return [...sums.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length <= mostNamed) return same;
    const names = same.slice(0, mostNamed).map(({ dataset }) => dataset);
    const dataset = `${countOf(same.length, 'dataset')} (${names.join(', ')}, …)`;
    const sum = summedText(same.map(({ text }) => text));
    return [{ ...first, dataset, text: sum ?? `${first.text} in ${first.dataset}, and the like` }];
  });
}

const counted = /(?<=\d )((?:failed )?row|answer|sample|verdict)\b/g;
const verbOfOne =
  /(?<=\d (?:failed )?(?:rows|answers)(?: counted as wrong)? )(?:was|is|has|does|names|holds|contains)\b/g;
const pluralVerbs: Readonly<Record<string, string>> = {
  was: 'were',
  is: 'are',
  has: 'have',
  does: 'do',
};

/** What is told of one row in the words for several, as sums are never one; without the numbers of rows, which go by dataset. */
function sharedText(text: string): string {
  return text
    .replace(/: rows? [\d,… ]+$/, '')
    .replaceAll(counted, '$1s')
    .replaceAll(verbOfOne, (verb) => pluralVerbs[verb] ?? verb.slice(0, -1));
}

/** A count at the start of a note or of a part of it: `5 × empty answer`, `3 of 10 answers`. */
const leadingCounts = /(?<=^|^judge: |^failed: |, |, but )\d[\d,]*(?: of \d[\d,]*)?/g;

/** Texts that differ in their counts alone, as one with the sums. */
function summedText(texts: readonly string[]): string | undefined {
  const bare = texts.map(sharedText);
  const [shape, ...others] = bare.map((text) =>
    text.replaceAll(leadingCounts, (counts) => counts.replaceAll(/[\d,]+/g, '\0')),
  );
  if (shape === undefined || others.some((other) => other !== shape)) return undefined;
  const counts = bare.map((text) =>
    (text.match(leadingCounts) ?? []).flatMap((part) => part.match(/[\d,]+/g) ?? []),
  );
  let index = 0;
  const sumAt = (place: number) =>
    counts.reduce((sum, row) => sum + Number(row[place]?.replaceAll(',', '')), 0);
  return shape.replaceAll('\0', () => formatCount(sumAt(index++)));
}

/** Something to know of an evaluation. */
interface Told {
  readonly model: string;
  readonly dataset: string;
  readonly text: string;
  readonly isWarning: boolean;
}

function toldOf(result: TaskResult): Told[] {
  const [model, dataset] = [oneLine(result.model), oneLine(result.dataset)];
  const told = (text: string | undefined, isWarning: boolean) =>
    text ? [{ model, dataset, text: oneLine(text), isWarning }] : [];
  return [
    ...told(describeClusters(result), false),
    ...told(describeReasons(result), true),
    ...told(result.judge && `judge: ${describeJudge(result)}`, false),
    ...describeEvents(result).flatMap((event) => told(event, true)),
    ...told(describeFit(result), true),
    ...told(describeTies(result), false),
  ];
}

function notes(summary: RunSummary, colors: Colors): string[] {
  const intervals = describeIntervals(summary);
  const facts = [intervals, describeSeeds(summary), cacheNote(summary), describeCost(summary)];
  const lines = facts.flatMap((text) => (text === undefined ? [] : [colors.dim(oneLine(text))]));
  for (const { model, dataset, text, isWarning } of summedNotes(summary.results.flatMap(toldOf))) {
    const line = `${model} on ${dataset}: ${text}`;
    lines.push(isWarning ? colors.yellow(line) : colors.dim(line));
  }
  for (const group of summary.groups) {
    const reason = describeNoAverage(group);
    if (reason) {
      lines.push(colors.yellow(oneLine(`${group.model} on ${group.group}: ${reason}`)));
    }
  }
  if (!summary.complete) {
    lines.push(colors.yellow(oneLine(`Incomplete: ${describeMissing(summary)}.`)));
  }
  return lines;
}
