import { requireLevel, requireThat } from './check.ts';
import { studentQuantile } from './distributions.ts';
import { defaultLevel, type Estimate } from './estimate.ts';

export interface ClusteredEstimate extends Estimate {
  readonly standardError: number;
  readonly clusters: number;
}

export interface ClusterOptions {
  /** The group of each value. */
  readonly clusters: readonly (string | number)[];
  readonly level?: number | undefined;
}

/**
 * The mean of values that come in groups, such as questions on one text. Groups are independent,
 * values of one group need not be: the standard error is robust to that (with the factor G / (G − 1)
 * for G groups), the interval is Student's with G − 1 degrees of freedom. Nothing with fewer than
 * two groups. For a paired comparison the values are the differences of the pairs.
 *
 * @example
 * const clusters = ['a', 'a', 'b', 'b', 'c', 'c'];
 * clusteredMean([0.7, 0.9, 0.6, 0.8, 0.5, 0.7], { clusters });
 * // { value: 0.7, low: 0.451…, high: 0.948…, standardError: 0.057…, clusters: 3, … }
 */
export function clusteredMean(
  values: readonly number[],
  { clusters, level = defaultLevel }: ClusterOptions,
): ClusteredEstimate | undefined {
  requireLevel(level);
  requireThat(
    clusters.length === values.length,
    `${values.length} values cannot be in ${clusters.length} groups one by one`,
  );
  requireThat(values.every(Number.isFinite), 'A value is not finite');
  const value = values.reduce((sum, one) => sum + one, 0) / values.length;
  const sums = new Map<string | number, number>();
  for (const [index, one] of values.entries()) {
    const cluster = clusters[index] ?? '';
    sums.set(cluster, (sums.get(cluster) ?? 0) + one - value);
  }
  const count = sums.size;
  if (count < 2) return undefined;
  const squares = [...sums.values()].reduce((total, sum) => total + sum ** 2, 0);
  const standardError = Math.sqrt((squares * count) / (count - 1)) / values.length;
  const half = studentQuantile((1 + level) / 2, count - 1) * standardError;
  return {
    value,
    low: value - half,
    high: value + half,
    level,
    method: 'clustered',
    standardError,
    clusters: count,
  };
}
