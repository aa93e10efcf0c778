import { clusterReach, tidy } from './cluster-ends.ts';
import { type ClusterName, type ClusterSums, sumClusters } from './cluster-sums.ts';
import { defaultLevel, type Estimate } from './estimate.ts';
import { exactPermutation } from './exact-permutation.ts';
import { type PermutationOptions, type PermutationResult, permutationTest } from './permutation.ts';
import { wilsonEnds } from './wilson.ts';

export interface ClusteredDifferenceOptions extends PermutationOptions {
  /** The cluster of each difference. */
  readonly clusters: ArrayLike<ClusterName>;
  readonly level?: number | undefined;
  /** How large a difference can be at most. */
  readonly largest?: number | undefined;
  /** What makes whole numbers of the differences, if anything does: all signs can be counted then. */
  readonly steps?: number | undefined;
}

/** What paired differences in clusters say of their mean. */
export interface ClusteredDifference extends PermutationResult {
  readonly clusters: number;
  readonly standardError: number;
  /** Left out with one cluster, and where nothing says how far off the mean may be. */
  readonly difference?: Estimate | undefined;
}

/**
 * Tests whether paired differences of rows in clusters are 0 on average: how often they would be as
 * far from it if each cluster, with all of its rows, had its sign by chance. The interval is Student's
 * by the cluster-robust standard error, which is not taken to be less than that of independent rows.
 *
 * @example
 * const clusters = ['a', 'a', 'b', 'b', 'c', 'c'];
 * clusteredDifference([0.1, 0.3, 0.1, 0.2, -0.1, 0], { clusters, seed: 1 });
 * // { p: 0.5, method: 'exact', clusters: 3, difference: { value: 0.09…, low: -0.22…, … }, … }
 */
export function clusteredDifference(
  differences: ArrayLike<number>,
  { clusters, level = defaultLevel, largest, steps, ...drawing }: ClusteredDifferenceOptions,
): ClusteredDifference {
  const sums = sumClusters(differences, { clusters });
  const { count } = sums;
  const isOne = count < 2;
  const standardError = isOne ? 0 : tidy(Math.sqrt(sums.cautiousVariance));
  const exact = steps === undefined ? undefined : exactPermutation(wholeSums(sums, steps));
  const difference = isOne
    ? undefined
    : differenceInterval(sums.mean, { clusters: count, standardError, level, largest });
  return {
    ...(exact === undefined
      ? permutationTest(sums.sums(), drawing)
      : { p: exact, method: 'exact' }),
    clusters: count,
    standardError,
    ...(difference && { difference }),
  };
}

function wholeSums(sums: ClusterSums, steps: number): Float64Array {
  return sums.sums().map((sum) => Math.round(sum * steps));
}

interface IntervalSettings {
  readonly clusters: number;
  readonly standardError: number;
  readonly level: number;
  readonly largest?: number | undefined;
}

/**
 * Student's interval of a difference by its clusters. Differences that are all alike show no
 * uncertainty: then as many clusters as may have been missed by chance could differ as much as scores
 * can. Nothing if that is not known.
 */
export function differenceInterval(
  value: number,
  { clusters, standardError, level, largest = Number.POSITIVE_INFINITY }: IntervalSettings,
): Estimate | undefined {
  const reach = clusterReach(clusters, level);
  const isAlike = standardError <= 1e-7 * Math.abs(value);
  if (isAlike && !Number.isFinite(largest)) return undefined;
  const [, missed] = isAlike ? wilsonEnds(0, clusters, reach) : [0, 0];
  const middle = (1 - missed) * value;
  const half = isAlike ? missed * largest : reach * standardError;
  return {
    value,
    low: Math.max(-largest, middle - half),
    high: Math.min(largest, middle + half),
    level,
    method: 'clustered',
  };
}
