import type { WeighedValues } from './bounded-mean.ts';
import { requireThat } from './check.ts';
import { ValueCounts } from './value-counts.ts';

/** What tells a cluster from others. */
export type ClusterName = string | number;

/** The lowest and the highest value that there can be. */
export type ValueRange = readonly [lowest: number, highest: number];

interface ClusterSum {
  sum: number;
  rows: number;
}

/**
 * Values of rows that come in clusters, added up as they come. Memory grows with the number of
 * clusters, not of rows.
 */
export class ClusterSums {
  readonly #clusters = new Map<ClusterName, ClusterSum>();
  readonly #range: ValueRange | undefined;
  #rows = 0;
  #sum = 0;
  #squares = 0;
  #atEnds = 0;
  #isOutside = false;
  #counts = new ValueCounts();

  constructor(range?: ValueRange) {
    this.#range = range;
  }

  /** How often each value occurred. */
  get counts(): ValueCounts {
    return this.#counts;
  }

  get rows(): number {
    return this.#rows;
  }

  /** The number of clusters. */
  get count(): number {
    return this.#clusters.size;
  }

  /** As many clusters of one size would say as much as these do of theirs, at most. */
  get evenCount(): number {
    let squares = 0;
    for (const { rows } of this.#clusters.values()) squares += rows ** 2;
    return this.#rows ** 2 / squares;
  }

  /** Nothing if a value lies outside. */
  get range(): ValueRange | undefined {
    return this.#isOutside ? undefined : this.#range;
  }

  get mean(): number {
    return this.#sum / this.#rows;
  }

  /** The share of values that are the lowest or the highest that there can be. */
  get shareAtEnds(): number {
    return this.#atEnds / this.#rows;
  }

  add(cluster: ClusterName, value: number): void {
    requireThat(Number.isFinite(value), 'A value is not finite');
    this.#rows += 1;
    this.#counts.add(value);
    this.#sum += value;
    this.#squares += value * value;
    if (this.#range) this.#place(value, this.#range);
    const known = this.#clusters.get(cluster);
    if (known) {
      known.sum += value;
      known.rows += 1;
    } else this.#clusters.set(cluster, { sum: value, rows: 1 });
  }

  #place(value: number, [lowest, highest]: ValueRange): void {
    if (value === lowest || value === highest) this.#atEnds += 1;
    if (value < lowest || value > highest) this.#isOutside = true;
  }

  copy(): ClusterSums {
    const copied = new ClusterSums(this.#range);
    for (const [name, cluster] of this.#clusters) copied.#clusters.set(name, { ...cluster });
    copied.#rows = this.#rows;
    copied.#sum = this.#sum;
    copied.#squares = this.#squares;
    copied.#atEnds = this.#atEnds;
    copied.#isOutside = this.#isOutside;
    copied.#counts = this.#counts.copy();
    return copied;
  }

  /** The sums of the clusters, in the order in which they came first. */
  sums(): Float64Array {
    return Float64Array.from(this.#clusters.values(), ({ sum }) => sum);
  }

  /** The means of the clusters, which weigh by their rows as much as `evenCount` clusters do together. */
  means(): WeighedValues {
    const weight = this.evenCount / this.#rows;
    const weights = new Map<number, number>();
    for (const { sum, rows } of this.#clusters.values()) {
      const mean = this.#coarsen(sum / rows);
      weights.set(mean, (weights.get(mean) ?? 0) + rows * weight);
    }
    return [...weights].sort(([left], [right]) => left - right);
  }

  /** Of very many clusters the means need no more places than this. */
  #coarsen(mean: number): number {
    return this.count > 4096 ? Number(mean.toPrecision(3)) : mean;
  }

  /** The cluster-robust variance of the mean, with the factor G / (G − 1) for G clusters. */
  get varianceOfMean(): number {
    const { count, mean } = this;
    let squares = 0;
    for (const { sum, rows } of this.#clusters.values()) squares += (sum - rows * mean) ** 2;
    return ((squares / this.#rows ** 2) * count) / (count - 1);
  }

  /** The variance of single values. */
  get variance(): number {
    const squares = this.#squares - this.#rows * this.mean ** 2;
    return Math.max(0, squares) / Math.max(1, this.#rows - 1);
  }

  /** That of the mean, or that of a mean of independent rows if it is larger. */
  get cautiousVariance(): number {
    return Math.max(this.varianceOfMean, this.variance / this.#rows);
  }
}

/** Values with the cluster of each. */
export function sumClusters(
  values: ArrayLike<number>,
  {
    clusters,
    range,
  }: { readonly clusters: ArrayLike<ClusterName>; readonly range?: ValueRange | undefined },
): ClusterSums {
  requireThat(
    clusters.length === values.length,
    `${values.length} values cannot be in ${clusters.length} clusters one by one`,
  );
  const sums = new ClusterSums(range);
  for (let index = 0; index < values.length; index += 1) {
    sums.add(clusters[index] ?? '', values[index] ?? 0);
  }
  return sums;
}
