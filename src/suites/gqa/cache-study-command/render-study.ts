import stringWidth from 'fast-string-width';
import { countOf, formatCount } from '../../../base/format.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { alignColumns } from '../../../terminal/text/align-columns.ts';
import { showControls } from '../../../terminal/text/show-controls.ts';
import type { Advice } from '../cache-study/advise-threshold.ts';
import type { HitCounts, StudyCounts } from '../cache-study/tally.ts';
import type { StudySamples } from './collect-samples.ts';
import { prefixLines } from './prefix-lines.ts';
import type { StudyResult, SweepPoint } from './run-study.ts';
import { pairOf } from './write-logs.ts';

const usualPairs = 5;
const barWidth = 30;

export interface RenderOptions {
  readonly samples: StudySamples;
  readonly terminal: Terminal;
  /** How many of the hits are shown. */
  readonly shownPairs?: number | undefined;
}

/** A study for people. */
export function renderStudy(
  result: StudyResult,
  { samples, terminal, shownPairs }: RenderOptions,
): string[] {
  const { settings, counts, distinct, encoder } = result;
  const { colors } = terminal;
  const title = settings.name ?? settings.dataset;
  const hasVectors = result.layers.some(({ threshold }) => threshold !== undefined);
  const made = hasVectors ? ` · encoder ${showControls(encoder)}` : '';
  return [
    `${colors.bold(showControls(title))} · ${countOf(counts.samples, 'sample')} · ${formatCount(distinct)} different chunk texts (${settings.chunk_source})${made}`,
    '',
    ...layerLines(result, terminal),
    '',
    ...pairLines(result, { samples, terminal, shownPairs }),
    ...sweepLines(result, terminal),
    ...gridLines(result, terminal),
    ...prefixLines(result.prefixes, terminal),
  ];
}

/** What the layers and the whole cache did, as rows of a table with its titles. */
export function layerTable({ layers, counts }: StudyResult): string[][] {
  const cells = ({ hits, judged, wrong }: HitCounts) => [
    formatCount(hits),
    percent(hits, counts.samples),
    judged === 0 ? '–' : `${formatCount(wrong)} of ${formatCount(judged)}`,
    percent(wrong, judged),
    formatCount(hits - judged),
  ];
  const none = { hits: 0, judged: 0, wrong: 0 };
  return [
    ['layer', 'threshold', 'hits', 'of samples', 'wrong', 'of judged', 'not judged'],
    ...layers.map(({ source, threshold }) => [
      source,
      threshold?.toString() ?? '',
      ...cells(counts.bySource[source] ?? none),
    ]),
    ['all', '', ...cells(counts)],
  ];
}

function layerLines(result: StudyResult, { colors }: Terminal): string[] {
  const [head = '', ...lines] = alignColumns(
    layerTable(result).map((row) => row.map(showControls)),
  );
  const all = lines.pop() ?? '';
  return [colors.dim(head), ...lines, colors.bold(all)];
}

function pairLines(
  { steps, counts }: StudyResult,
  { samples, terminal, shownPairs = usualPairs }: RenderOptions,
): string[] {
  if (counts.hits === 0 || shownPairs <= 0) return [];
  const hits = steps.filter(({ source }) => source !== null).slice(0, shownPairs);
  const rows = hits.map((step) => {
    const { id, from, source, score, answer, reused_answer, same_answer } = pairOf(step, samples);
    const sign = same_answer === null ? '' : same_answer ? '=' : '≠';
    return [
      `${id} ← ${from}`,
      source ?? '',
      (score ?? 0).toFixed(3),
      sign === '' ? '' : `${short(answer)} ${sign} ${short(reused_answer)}`,
    ].map(showControls);
  });
  return [
    terminal.colors.dim(`reused, the first ${rows.length} of ${formatCount(counts.hits)}`),
    ...alignColumns(rows),
    '',
  ];
}

function sweepLines({ sweep, advice }: StudyResult, { colors }: Terminal): string[] {
  if (sweep.length === 0) return [];
  const lines = sweep.map((point) => {
    const { right, open, wrong } = barOf(point);
    const rest = ' '.repeat(barWidth - right - open - wrong);
    const bar = '█'.repeat(right) + colors.dim('░'.repeat(open)) + colors.red('▒'.repeat(wrong));
    const { hits, judged, samples } = point;
    const shares = [percent(hits, samples), percent(hits - judged, samples), wrongText(point)];
    const [share = '', unjudged = '', wrongShare = ''] = shares;
    return [
      point.threshold.toFixed(2),
      bar + rest,
      share.padStart(7),
      unjudged.padStart(10),
      wrongShare,
    ].join('  ');
  });
  const legend = 'right █, not judged ░, wrong ▒'.padEnd(barWidth);
  const head = ['at  ', legend, '   hits', 'not judged', 'wrong, of judged'].join('  ');
  return [
    colors.dim('one threshold for all layers that use one'),
    colors.dim(head),
    ...lines,
    ...(advice ? ['', describeAdvice(advice)] : []),
    '',
  ];
}

/** Widths of the parts of a bar, in tenths of a sample that add up. */
function barOf({ samples, hits, judged, wrong }: SweepPoint) {
  const ends = [judged - wrong, hits - wrong, hits].map((count) =>
    Math.round((count / Math.max(1, samples)) * barWidth),
  );
  const [right = 0, open = 0, whole = 0] = ends;
  return { right, open: open - right, wrong: whole - open };
}

/** The share of wrong answers with its interval: `4.0% [1.1, 13.5]`. */
export function wrongText({ judged, wrong, wrongShare }: StudyCounts): string {
  if (judged === 0) return '–';
  const share = percent(wrong, judged);
  if (!wrongShare) return `${share} (too few)`;
  const [low, high] = [wrongShare.low, wrongShare.high].map((end) => (end * 100).toFixed(1));
  return `${share} [${low}, ${high}]`;
}

/** Which threshold keeps wrong answers under the share that is bearable. */
export function describeAdvice(advice: Advice): string {
  const limit = `${Number((advice.maxWrong * 100).toFixed(2))}%`;
  const { point } = advice;
  if (!point)
    return `No threshold can be recommended for at most ${limit} wrong: no hit could be judged.`;
  const seen = `at ${point.threshold} wrong answers are ${wrongText(point)} of ${countOf(point.judged, 'judged hit')}`;
  switch (advice.type) {
    case 'keeps':
      return `At most ${limit} wrong: ${point.threshold} is the lowest threshold that stays within it, with ${percent(point.hits, point.samples)} hits; ${seen}.`;
    case 'too many wrong':
      return `At most ${limit} wrong: no threshold of the sweep stays within it; ${seen}.`;
    default:
      return `At most ${limit} wrong: too few hits to say; ${seen}. The interval must end below ${limit}.`;
  }
}

/** Hits and wrong answers for each pair of thresholds, as rows of a table with its titles. */
function gridLines({ grid }: StudyResult, { colors }: Terminal): string[] {
  if (!grid) return [];
  const { rowLayer, columnLayer, thresholds, rows } = grid;
  const table = rows.map((counts, row) => [
    (thresholds[row] ?? 0).toFixed(2),
    ...counts.map(
      ({ hits, samples, wrong, judged }) =>
        `${percent(hits, samples).slice(0, -1)} / ${percent(wrong, judged).replace('%', '')}`,
    ),
  ]);
  const head = ['', ...thresholds.map((threshold) => threshold.toFixed(2))];
  const [titles = '', ...lines] = alignColumns([head, ...table]);
  return [
    colors.dim(
      `hits / wrong in %, with a threshold of ${rowLayer} (down) and of ${columnLayer} (across)`,
    ),
    colors.dim(titles),
    ...lines,
    '',
  ];
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)}%`;
}

function short(text: string): string {
  return stringWidth(text) > 24 ? `${text.slice(0, 23)}…` : text;
}
