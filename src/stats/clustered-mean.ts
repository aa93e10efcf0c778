import { boundedEnds } from './bounded-mean.ts';
import { requireLevel } from './check.ts';
import { clusterEnds, clusterReach, tidy } from './cluster-ends.ts';
import {
  type ClusterName,
  type ClusterSums,
  sumClusters,
  type ValueRange,
} from './cluster-sums.ts';
import { defaultLevel, type Estimate, hasInterval } from './estimate.ts';
import { estimateMean, fewestUnlike } from './mean-estimate.ts';

export interface ClusteredEstimate extends Estimate {
  readonly standardError: number;
  readonly clusters: number;
}

export interface ClusterOptions {
  /** The cluster of each value. */
  readonly clusters: ArrayLike<ClusterName>;
  readonly level?: number | undefined;
  /** The lowest and the highest value that there can be: the interval stays within them. */
  readonly range?: ValueRange | undefined;
}

/**
 * The mean of values that come in clusters, such as questions on one text. Clusters are independent,
 * values of one cluster need not be: the standard error is robust to that (with the factor G / (G − 1)
 * for G clusters), the interval is Student's with G − 1 degrees of freedom. Nothing with fewer than
 * two clusters. For a paired comparison the values are the differences of the pairs.
 *
 * Values with a `range` get Wilson's interval in its place, with Student's quantile and as many rows
 * as independent ones would say as much. It is not narrower than that of independent rows, and reckons
 * with clusters that are all right or all wrong though few were seen. Where values are not only right
 * and wrong it is not narrower than that of the clusters' means either. Nothing where rows or clusters
 * are too few, or too much alike, to say how far off the mean may be.
 *
 * @example
 * const clusters = ['a', 'a', 'b', 'b', 'c', 'c'];
 * clusteredMean([0.7, 0.9, 0.6, 0.8, 0.5, 0.7], { clusters });
 * // { value: 0.7, low: 0.451…, high: 0.948…, standardError: 0.057…, clusters: 3, … }
 */
export function clusteredMean(
  values: ArrayLike<number>,
  { level, ...options }: ClusterOptions,
): ClusteredEstimate | undefined {
  return estimateClusters(sumClusters(values, options), level);
}

/** The same for values that were added up. */
export function estimateClusters(
  sums: ClusterSums,
  level: number = defaultLevel,
): ClusteredEstimate | undefined {
  requireLevel(level);
  const { count, mean: value, range } = sums;
  if (count < 2) return undefined;
  const reach = clusterReach(count, level);
  const standardError = tidy(Math.sqrt(sums.varianceOfMean));
  const ends = range
    ? cautiousEnds(sums, { range, level, reach })
    : { low: value - reach * standardError, high: value + reach * standardError };
  return ends && { value, ...ends, level, method: 'clustered', standardError, clusters: count };
}

interface Ends {
  readonly low: number;
  readonly high: number;
}

/** The ends of an interval by clusters that reaches as far as that of rows, and that of clusters' means. */
function cautiousEnds(
  sums: ClusterSums,
  { range, level, reach }: { range: ValueRange; level: number; reach: number },
): Ends | undefined {
  const { mean, evenCount, counts, shareAtEnds } = sums;
  const rows = estimateMean(counts, { range, level });
  if (!hasInterval(rows)) return undefined;
  const [low, high] = clusterEnds(mean, { ...spreadOf(sums), clusters: evenCount, range, reach });
  const parts: Ends[] = [{ low, high }, rows];
  if (shareAtEnds < 1) {
    const ofMeans = endsOfMeans(sums, { range, level });
    if (!ofMeans) return undefined;
    parts.push(ofMeans);
  }
  return {
    low: Math.min(...parts.map((part) => part.low)),
    high: Math.max(...parts.map((part) => part.high)),
  };
}

/** Without bounds, what was seen says how far the means of clusters go; nothing if they are too much alike. */
function endsOfMeans(
  sums: ClusterSums,
  { range, level }: { range: ValueRange; level: number },
): Ends | undefined {
  const means = sums.means();
  if (range.every(Number.isFinite)) return boundedEnds(means, { range, level });
  const commonest = means.reduce((most, [, weight]) => Math.max(most, weight), 0);
  if (sums.evenCount - commonest < fewestUnlike) return undefined;
  const seen = [means[0]?.[0] ?? 0, means.at(-1)?.[0] ?? 0] as const;
  return boundedEnds(means, { range: seen, level });
}

/** How much a mean may vary, by what was seen of its clusters. */
export function spreadOf(sums: ClusterSums): {
  readonly variance: number;
  readonly variancePerCluster: number;
} {
  const { mean, evenCount, shareAtEnds, range = [0, 0] } = sums;
  const [lowest, highest] = range;
  // Values at the ends may be so all over a cluster; others vary as they were seen to.
  const hasNone = shareAtEnds === 0 || !range.every(Number.isFinite);
  const largest = hasNone ? 0 : (mean - lowest) * (highest - mean);
  return {
    variance: sums.cautiousVariance,
    variancePerCluster: (shareAtEnds * largest + (1 - shareAtEnds) * sums.variance) / evenCount,
  };
}
