import { formatCount } from '../base/format.ts';
import type {
  GroupResult,
  Measurement,
  MetricKind,
  RowCounts,
  RunSummary,
  TaskResult,
} from '../run/summary.ts';
import { hasInterval } from '../stats/estimate.ts';

/** How scores are written throughout a report, so that they can be compared by eye. */
export interface ScoreStyle {
  readonly decimals: number;
}

/** The style that fits all scores of a run: no interval may look like a point. */
export function scoreStyleOf({ results, groups }: RunSummary): ScoreStyle {
  const measured = [
    ...results,
    ...results.flatMap(({ metrics = [] }) => metrics),
    ...groups.filter((group) => !kindOfGroup(group, results).plain),
  ];
  const scores = measured
    .flatMap((of) => ('plain' in of ? [] : (of.score ?? [])))
    .filter(hasInterval);
  return { decimals: scores.some(({ low, high }) => high > low && high - low < 0.001) ? 2 : 1 };
}

/** How many decimals of a share in hundredths say something if it is one of so many rows. */
export function decimalsFor(rows: number): number {
  return rows > 1000 ? 2 : 1;
}

/** A share in hundredths: `83.2`. A number of its own kind as it is: `12.35`. */
export function formatScore(
  value: number,
  { decimals }: ScoreStyle,
  { plain }: MetricKind = {},
): string {
  return plain ? formatNumber(value) : (value * 100).toFixed(decimals);
}

/** Writes scores with as many digits as it takes to tell two that differ apart. */
export function formatApart(
  [one, other]: readonly [number, number],
  style: ScoreStyle,
  kind: MetricKind = {},
): (value: number) => string {
  const write = (more: number) => (value: number) =>
    kind.plain
      ? formatNumber(value, 4 + more)
      : formatScore(value, { decimals: style.decimals + more });
  const enough = Array.from({ length: 9 }, (_, more) => write(more));
  return enough.find((format) => format(one) !== format(other)) ?? write(0);
}

/** Four digits; what is left of 0 after rounding is 0. */
function formatNumber(value: number, digits = 4): string {
  return String(Math.abs(value) < 1e-12 ? 0 : Number(value.toPrecision(digits)));
}

/** `[81.0, 85.3]`; `too few rows` where there is no interval. */
export function formatInterval(
  score: Measurement,
  style: ScoreStyle,
  kind: MetricKind = {},
): string {
  if (!hasInterval(score)) return 'too few rows';
  const { low, high } = score;
  return `[${formatScore(low, style, kind)}, ${formatScore(high, style, kind)}]`;
}

/** The name of a metric, marked if less is better: `cer ↓`. */
export function metricLabel(name: string, { direction }: MetricKind): string {
  return direction === 'lower' ? `${name} ↓` : name;
}

/** An average of numbers of their own kind is one as well. */
export function kindOfGroup(
  { model, datasets }: GroupResult,
  results: readonly TaskResult[],
): MetricKind {
  const members = results.filter(
    (result) => result.model === model && datasets.includes(result.dataset),
  );
  return members.some(({ plain }) => plain) ? { plain: true } : {};
}

/** What the intervals of a run are, for a footnote; nothing if there are none. */
export function describeIntervals({ results, groups }: RunSummary): string | undefined {
  const level = [...results, ...groups].find(({ score }) => hasInterval(score))?.score?.level;
  if (level === undefined) return undefined;
  const measured = results.flatMap((result) => [result, ...(result.metrics ?? [])]);
  const grades = results.some(({ metric }) => metric === 'grade')
    ? ', grades on their own scale,'
    : '';
  const scores = measured.every(({ plain }) => plain) ? 'Scores' : `Scores from 0 to 100${grades}`;
  return [
    `${scores} with ${Number((level * 100).toFixed(2))}% intervals.`,
    ...(hasLower(results) ? ['↓: lower is better.'] : []),
    ...(results.some(({ allRows }) => allRows)
      ? ['"All rows" counts unscored and failed rows as wrong.']
      : []),
  ].join(' ');
}

function hasLower(results: readonly TaskResult[]): boolean {
  return results.some(({ direction, metrics = [] }) =>
    [direction, ...metrics.map((metric) => metric.direction)].includes('lower'),
  );
}

/** How many rows a score covers: `980/1,000`, or `1,000` if it covers all of them. */
export function formatCoverage({ total, scored }: RowCounts): string {
  return scored === total ? formatCount(total) : `${formatCount(scored)}/${formatCount(total)}`;
}
