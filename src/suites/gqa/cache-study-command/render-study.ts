import stringWidth from 'string-width';
import { countOf, formatCount } from '../../../base/format.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { alignColumns } from '../../../terminal/text/align-columns.ts';
import { showControls } from '../../../terminal/text/show-controls.ts';
import type { HitCounts } from '../cache-study/tally.ts';
import type { StudySamples } from './collect-samples.ts';
import type { StudyResult, SweepPoint } from './run-study.ts';
import { pairOf } from './write-logs.ts';

const shownPairs = 5;
const barWidth = 30;

/** A study for people. */
export function renderStudy(
  result: StudyResult,
  { samples, terminal }: { readonly samples: StudySamples; readonly terminal: Terminal },
): string[] {
  const { settings, counts, distinct } = result;
  const { colors } = terminal;
  const title = settings.name ?? settings.dataset;
  return [
    `${colors.bold(showControls(title))} · ${countOf(counts.samples, 'sample')} · ${formatCount(distinct)} different chunk texts (${settings.chunk_source})`,
    '',
    ...layerLines(result, terminal),
    '',
    ...pairLines(result, { samples, terminal }),
    ...sweepLines(result, terminal),
    describePrefixes(result),
  ];
}

/** What the layers and the whole cache did, as rows of a table with its titles. */
export function layerTable({ layers, counts }: StudyResult): string[][] {
  const cells = ({ hits, judged, wrong }: HitCounts) => [
    formatCount(hits),
    percent(hits, counts.samples),
    judged === 0 ? '–' : `${formatCount(wrong)} of ${formatCount(judged)}`,
    percent(wrong, judged),
  ];
  const none = { hits: 0, judged: 0, wrong: 0 };
  return [
    ['layer', 'threshold', 'hits', 'of samples', 'wrong', 'of hits'],
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
  { samples, terminal }: { readonly samples: StudySamples; readonly terminal: Terminal },
): string[] {
  if (counts.hits === 0) return [];
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

function sweepLines({ sweep }: StudyResult, { colors }: Terminal): string[] {
  if (sweep.length === 0) return [];
  const lines = sweep.map((point) => {
    const { right, wrong } = barOf(point);
    const rest = ' '.repeat(barWidth - right - wrong);
    const bar = '█'.repeat(right) + colors.red('▒'.repeat(wrong)) + rest;
    const shares = [percent(point.hits, point.samples), percent(point.wrong, point.judged)];
    return [point.threshold.toFixed(2), bar, ...shares.map((share) => share.padStart(7))].join(
      '  ',
    );
  });
  const head = ['at  ', 'hits █, wrong ones ▒'.padEnd(barWidth), '   hits', '  wrong'].join('  ');
  return [
    colors.dim('with one threshold for all layers that have one'),
    colors.dim(head),
    ...lines,
    '',
  ];
}

/** Widths of the two parts of a bar; hits that nobody can judge count as right. */
function barOf({ samples, hits, wrong }: SweepPoint): { right: number; wrong: number } {
  const whole = Math.round((hits / Math.max(1, samples)) * barWidth);
  const part = hits === 0 ? 0 : Math.round((wrong / hits) * whole);
  return { right: whole - part, wrong: part };
}

/** What a server's prefix cache would save. */
export function describePrefixes({ prefixes }: StudyResult): string {
  const { unit, total, inRunOrder, inBestOrder } = prefixes;
  return `Prompts: ${formatCount(total)} ${unit}. ${percent(inRunOrder, total)} begin like the prompt before in this order, ${percent(inBestOrder, total)} in the best order.`;
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`;
}

function short(text: string): string {
  return stringWidth(text) > 24 ? `${text.slice(0, 23)}…` : text;
}
