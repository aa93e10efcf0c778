import type { ValueRange } from './cluster-sums.ts';
import { studentQuantile } from './distributions.ts';
import { wilsonEnds } from './wilson.ts';

/** How many standard errors an interval by so many clusters reaches. */
export function clusterReach(clusters: number, level: number): number {
  return studentQuantile((1 + level) / 2, clusters - 1);
}

/** What the order of additions leaves in the last places goes. */
export function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

export interface ClusterSpread {
  /** The variance of the value by its clusters. */
  readonly variance: number;
  /** The variance that it would have if rows of one cluster were always alike. */
  readonly variancePerCluster?: number | undefined;
  /** How many clusters there are, counted as if they were of one size. */
  readonly clusters: number;
  readonly range: ValueRange;
  readonly reach: number;
}

/** Few clusters show too little of what they may be like: this many more might be all right or all wrong. */
const unseenClusters = 2;

/**
 * The ends of the interval of a value that has bounds: those of Wilson's for as many independent rows
 * as would say as much. So it stays within the bounds, and is no point where all rows are alike.
 */
export function clusterEnds(value: number, spread: ClusterSpread): [low: number, high: number] {
  const { variancePerCluster = 0, clusters, reach } = spread;
  const [lowest, highest] = spread.range;
  const width = highest - lowest;
  const unseen =
    (clusters * spread.variance + unseenClusters * variancePerCluster) /
    (clusters + unseenClusters);
  const variance = tidy(Math.max(spread.variance, unseen));
  if (!Number.isFinite(width)) {
    const half = reach * Math.sqrt(variance);
    return [Math.max(lowest, value - half), Math.min(highest, value + half)];
  }
  const share = Math.min(1, Math.max(0, (value - lowest) / width));
  const isAlike = variance < 1e-15 * width ** 2;
  const rows = isAlike ? clusters : (share * (1 - share) * width ** 2) / variance;
  const [low, high] = wilsonEnds(share, rows, reach);
  return [lowest + low * width, lowest + high * width];
}
