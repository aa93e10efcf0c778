import { countOf, formatCount, oneLine } from '../base/format.ts';
import type {
  GroupResult,
  Measurement,
  MetricKind,
  MetricResult,
  RequestCounts,
  RowCounts,
  RunSummary,
  TaskResult,
} from '../run/summary.ts';
import { describeTokens } from './describe-events.ts';
import {
  formatCoverage,
  formatInterval,
  formatScore,
  kindOfGroup,
  metricLabel,
  type ScoreStyle,
  scoreStyleOf,
} from './format-scores.ts';

type ColumnName =
  | 'model'
  | 'dataset'
  | 'metric'
  | 'score'
  | 'interval'
  | 'all rows'
  | 'rows'
  | 'unscored'
  | 'failed'
  | 'missing';

/** The scores of a run as text. Columns with nothing to tell are left out. */
export interface ScoreTable {
  readonly columns: readonly ColumnName[];
  /** Further metrics of a task follow it; groups come last. */
  readonly lines: readonly TableLine[];
}

export interface TableLine {
  readonly type: 'task' | 'metric' | 'group';
  readonly cells: Cells;
}

export type Cells = Readonly<Record<ColumnName, string>>;

const troubles = ['unscored', 'failed', 'missing'] as const satisfies readonly (keyof RowCounts)[];

export function scoreTable(summary: RunSummary): ScoreTable {
  const { results, groups } = summary;
  const style = scoreStyleOf(summary);
  const isEmpty = (column: ColumnName) => {
    if (column === 'model') return new Set(results.map(({ model }) => model)).size === 1;
    if (column === 'all rows') return results.every(({ allRows }) => !allRows);
    const trouble = troubles.find((name) => name === column);
    return trouble !== undefined && results.every(({ rows }) => rows[trouble] === 0);
  };
  const all: readonly ColumnName[] = [
    ...(['model', 'dataset', 'metric', 'score', 'interval', 'all rows', 'rows'] as const),
    ...troubles,
  ];
  return {
    columns: all.filter((column) => !isEmpty(column)),
    lines: [
      ...results.flatMap((result) => taskLines(result, style)),
      ...groups.map((group) => groupLine(group, { style, results })),
    ],
  };
}

const noCells = { 'all rows': '', rows: '', unscored: '', failed: '', missing: '' };

function taskLines(result: TaskResult, style: ScoreStyle): TableLine[] {
  const { model, rows, score, metrics = [] } = result;
  const cells: Cells = {
    model: oneLine(model),
    dataset: oneLine(result.dataset),
    metric: oneLine(metricLabel(result.metric, result)),
    ...scoreCells(score, { style, kind: result, partial: result.partial }),
    'all rows': allRowsCell(result, style),
    rows: formatCoverage(rows),
    unscored: formatCount(rows.unscored),
    failed: formatCount(rows.failed),
    missing: formatCount(rows.missing),
  };
  const { partial } = result;
  const others = metrics.map((metric) => metricLine(metric, { style, result, partial }));
  return [{ type: 'task', cells }, ...others];
}

/** The score with rows that have none as wrong; where that cannot be told, nothing. */
export function allRowsCell(result: TaskResult, style: ScoreStyle): string {
  const { rows, score, allRows = score } = result;
  const isKnown = result.allRows !== undefined || rows.scored === rows.total;
  return allRows && isKnown ? formatScore(allRows.value, style, result) : '';
}

/** Nothing where the metric is of the rows that the score is of. */
export function metricCoverage({ rows, part }: MetricResult, result: TaskResult): string {
  if (part && rows !== undefined) return formatCount(rows);
  return rows === undefined ? '' : formatCoverage({ ...result.rows, scored: rows });
}

function metricLine(
  metric: MetricResult,
  { style, result, partial }: { style: ScoreStyle; result: TaskResult; partial?: true | undefined },
): TableLine {
  const cells: Cells = {
    model: oneLine(result.model),
    dataset: '',
    metric: oneLine(metricLabel(metric.name, metric)),
    ...scoreCells(metric.score, { style, kind: metric, partial }),
    ...noCells,
    'all rows': metric.allRows ? formatScore(metric.allRows.value, style, metric) : '',
    rows: metricCoverage(metric, result),
  };
  return { type: 'metric', cells };
}

function groupLine(
  group: GroupResult,
  { style, results }: { readonly style: ScoreStyle; readonly results: readonly TaskResult[] },
): TableLine {
  const kind = kindOfGroup(group, results);
  const cells: Cells = {
    model: oneLine(group.model),
    dataset: oneLine(group.group),
    metric: oneLine(groupLabel(group)),
    ...scoreCells(group.score, { style, kind, partial: group.partial }),
    ...noCells,
    'all rows': group.allRows ? formatScore(group.allRows.value, style, kind) : '',
  };
  return { type: 'group', cells };
}

function scoreCells(
  score: Measurement | undefined,
  {
    style,
    kind,
    partial,
  }: {
    readonly style: ScoreStyle;
    readonly kind: MetricKind;
    readonly partial: true | undefined;
  },
) {
  const interval = score && (partial ? rowsReached : formatInterval(score, style, kind));
  return {
    score: score ? formatScore(score.value, style, kind) : '–',
    interval: interval ?? '',
  };
}

/** In place of the interval of a score that is of a part of the rows, and no random one. */
export const rowsReached = 'rows reached';

/** Messages of servers may differ in every row; summary.json has them all. */
const maxReasons = 5;

/** `average of 3`; with the names of metrics that are not the same: `average of accuracy, macro_f1`. */
export function groupLabel({ datasets, metrics = [], direction }: GroupResult): string {
  if (metrics.length > 1) return `average of ${metrics.join(', ')}`;
  return metricLabel(`average of ${datasets.length}`, { ...(direction && { direction }) });
}

/** Why a group has no average: scores of different kinds, or a dataset without one. Nothing if it has one. */
export function describeNoAverage({ mixed, metrics = [], withoutScore = [] }: GroupResult): string {
  if (mixed) return `no average: ${metrics.join(' and ')} are different kinds of metric`;
  if (withoutScore.length === 0) return '';
  const verb = withoutScore.length === 1 ? 'has' : 'have';
  return `no average: ${withoutScore.join(', ')} ${verb} no row with a score`;
}

/**
 * Why rows of a task have no score: `12 × no answer found, 3 × timed out`; how many samples of the
 * others have none; and whether the metric leaves them out. Nothing if all have one.
 */
export function describeReasons(result: TaskResult): string {
  const { reasons, samples, metric, uncounted } = result;
  const shown = reasons.slice(0, maxReasons);
  const others = reasons.slice(maxReasons).reduce((sum, { rows }) => sum + rows, 0);
  const parts = shown.map(({ reason, rows }) => `${formatCount(rows)} × ${oneLine(reason)}`);
  if (others > 0) parts.push(`${formatCount(others)} × other reasons`);
  if (samples && samples.unscored > 0) parts.push(describeSamples(samples));
  const note = uncounted
    ? `; ${oneLine(metric)} covers only the others and cannot count these as wrong`
    : '';
  return parts.join(', ') + note;
}

/**
 * `interval by 12 clusters of document`; or that rows seem to come in groups which the interval knows
 * nothing of. Nothing if neither is so.
 */
export function describeClusters({ clusters, possibleClusters }: TaskResult): string {
  if (clusters) {
    const { by, count } = clusters;
    const column = oneLine(by);
    return count === 1
      ? `one cluster of ${column}: no interval`
      : `interval by ${formatCount(count)} clusters of ${column}`;
  }
  if (!possibleClusters) return '';
  const { by, count } = possibleClusters;
  const groups =
    by === undefined
      ? `rows have ${formatCount(count)} different prompts`
      : `rows seem to come in ${formatCount(count)} groups by ${oneLine(by)}`;
  return `${groups}, but the interval treats them as independent`;
}

/** `5 of 80 samples without a score`. */
export function describeSamples({ asked, unscored }: NonNullable<TaskResult['samples']>): string {
  return `${formatCount(unscored)} of ${countOf(asked, 'sample')} without a score`;
}

/** `3 rows: labels tied; the first was taken`. Nothing if none did. */
export function describeTies({ ties }: Pick<TaskResult, 'ties'>): string {
  return ties ? `${countOf(ties, 'row')} with tied labels; the first was taken` : '';
}

/**
 * What the verdicts of a task took: `40 verdicts requested, 2 from the cache, 280 tokens in, 80 out`;
 * nothing where no judge scores it.
 */
export function describeJudge({ judge, rows }: Pick<TaskResult, 'judge' | 'rows'>): string {
  if (!judge) return '';
  const { requests, cached, tokens, failed } = judge;
  const asked = `${countOf(requests, 'verdict')} requested`;
  return [
    // What was asked about rows that are not through counts with them, once they are.
    rows.missing > 0 ? `${asked} for the ${rowsReached}` : asked,
    ...(cached > 0 ? [`${formatCount(cached)} from the cache`] : []),
    describeTokens(tokens),
    ...(failed ? [`${countOf(failed, 'row')} not judged yet`] : []),
  ].join(', ');
}

/** Which rows a run that was interrupted still lacks. */
export function describeMissing({ results }: RunSummary): string {
  const missing = results.reduce((sum, { rows }) => sum + rows.missing, 0);
  if (missing === 0)
    return 'the run was ended before all rows were asked, and how many is not known';
  const isCut = results.some(({ partial, rows }) => partial && rows.missing === 0);
  // Answers that came last may not be scored, and rows of several requests may lack some.
  const isBegun = results.some(
    ({ rows, requests }) => rows.missing > 0 && answersOf(requests) > rows.total - rows.missing,
  );
  const state = isBegun ? 'not finished yet' : 'not asked yet';
  return `${isCut ? 'at least ' : ''}${countOf(missing, 'row')} ${state}`;
}

function answersOf({ asked = 0, resumed = 0, cached, shared }: RequestCounts): number {
  return asked + resumed + cached + shared;
}
