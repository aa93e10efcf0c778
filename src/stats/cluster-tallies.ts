import { keyedRandom } from '../base/keyed-random.ts';
import type { BootstrapOptions } from './bootstrap.ts';
import { resamplesFor } from './bootstrap-table.ts';
import { clusterEnds, clusterReach } from './cluster-ends.ts';
import { type ClusterName, ClusterSums, type ValueRange } from './cluster-sums.ts';
import { estimateClusters } from './clustered-mean.ts';
import { defaultLevel, type Measurement } from './estimate.ts';
import type { MeanOptions } from './mean-estimate.ts';
import { type CellMeasure, type MeasuredSums, maxCells, SumTally } from './tallies.ts';

/** Takes in scores of rows in clusters one by one and estimates their mean. */
export class ClusterScoreTally {
  readonly #sums: ClusterSums;

  constructor(from: ValueRange | ClusterSums) {
    this.#sums = from instanceof ClusterSums ? from : new ClusterSums(from);
  }

  /** The number of clusters. */
  get clusters(): number {
    return this.#sums.count;
  }

  get size(): number {
    return this.#sums.rows;
  }

  add(score: number, cluster: ClusterName): void {
    this.#sums.add(cluster, score);
  }

  copy(): ClusterScoreTally {
    return new ClusterScoreTally(this.#sums.copy());
  }

  /** An interval by clusters; one cluster says nothing of others. */
  estimate({ level }: MeanOptions = {}): Measurement | undefined {
    if (this.size === 0) return undefined;
    const found = estimateClusters(this.#sums, level);
    if (!found) return { value: this.#sums.mean, interval: 'too few' };
    const { standardError: _, clusters: __, ...estimate } = found;
    return estimate;
  }
}

export interface ClusterMeasureOptions extends BootstrapOptions {
  /** The lowest and the highest value of the measure. */
  readonly range: ValueRange;
}

/** Counts the cells of a table by cluster. Past a number of different ones it gives up. */
export class ClusterCellTally {
  readonly #clusters = new Map<ClusterName, Map<string, number>>();
  readonly #cells = new Set<string>();
  #isFull = false;

  get isFull(): boolean {
    return this.#isFull;
  }

  add(cell: string, cluster: ClusterName): void {
    this.#addTimes(cell, cluster, 1);
  }

  /** The cells of both. */
  with(other: ClusterCellTally): ClusterCellTally {
    const joined = new ClusterCellTally();
    joined.#isFull = this.#isFull || other.#isFull;
    for (const tally of [this, other]) {
      for (const [cluster, own] of tally.#clusters) {
        for (const [cell, count] of own) joined.#addTimes(cell, cluster, count);
      }
    }
    return joined;
  }

  #addTimes(cell: string, cluster: ClusterName, times: number): void {
    if (this.#isFull) return;
    const own = this.#clusters.get(cluster) ?? new Map<string, number>();
    this.#clusters.set(cluster, own);
    own.set(cell, (own.get(cell) ?? 0) + times);
    this.#cells.add(cell);
    if (this.#cells.size <= maxCells) return;
    this.#isFull = true;
    this.#clusters.clear();
    this.#cells.clear();
  }

  /** Nothing without cells, or with too many. */
  estimate(measure: CellMeasure, options: ClusterMeasureOptions): Measurement | undefined {
    if (this.#clusters.size === 0) return undefined;
    const cells = [...this.#cells].sort();
    const places = new Map(cells.map((cell, place) => [cell, place]));
    const clusters = [...this.#clusters]
      .sort(([left], [right]) => (String(left) < String(right) ? -1 : 1))
      .map(([, own]) =>
        Array.from(own, ([cell, count]) => [places.get(cell) ?? 0, count] as const),
      );
    const found = measureClusters(clusters, {
      measure: measure(cells),
      size: cells.length,
      ...options,
    });
    const sizes = clusters.map((own) => own.reduce((sum, [, count]) => sum + count, 0));
    const [rows, squares] = [1, 2].map((power) =>
      sizes.reduce((sum, size) => sum + size ** power, 0),
    );
    const evenCount = (rows ?? 0) ** 2 / (squares ?? 1);
    return estimateMeasure(found, {
      ...options,
      clusters: clusters.length,
      evenCount,
      isCounted: true,
    });
  }
}

type CellCounts = readonly (readonly [place: number, count: number])[];

interface CellSettings extends BootstrapOptions {
  readonly measure: (counts: Float64Array) => number;
  /** The number of cells. */
  readonly size: number;
}

/** Every resample draws as many clusters as there are, with replacement. */
function measureClusters(
  clusters: readonly CellCounts[],
  { measure, size, seed, resamples }: CellSettings,
): MeasuredSums {
  const random = keyedRandom(seed, 'cluster table');
  const drawn = new Float64Array(size);
  const add = (own: CellCounts = []) => {
    for (const [place, count] of own) drawn[place] = (drawn[place] ?? 0) + count;
  };
  for (const own of clusters) add(own);
  const value = measure(drawn);
  const counts = clusters.reduce((sum, own) => sum + own.length, 0);
  const resampled = Float64Array.from({ length: resamples ?? resamplesFor(counts) }, () => {
    drawn.fill(0);
    for (let draw = 0; draw < clusters.length; draw += 1)
      add(clusters[random.below(clusters.length)]);
    return measure(drawn);
  });
  return { value, resampled };
}

/** Sums the numbers that rows in clusters add to a measure of all of them, as they come. */
export class ClusterSumTally {
  readonly #sums: SumTally;
  readonly #clusters: Set<ClusterName>;

  constructor(from: number | SumTally, clusters = new Set<ClusterName>()) {
    this.#sums = typeof from === 'number' ? new SumTally(from) : from;
    this.#clusters = clusters;
  }

  get size(): number {
    return this.#sums.size;
  }

  /** Rows of one cluster are in the same resamples, equally often. */
  add(cluster: ClusterName, counts: readonly number[]): void {
    this.#clusters.add(cluster);
    this.#sums.add(cluster, counts);
  }

  /** The rows of both. */
  with(other: ClusterSumTally): ClusterSumTally {
    const clusters = new Set([...this.#clusters, ...other.#clusters]);
    return new ClusterSumTally(this.#sums.with(other.#sums), clusters);
  }

  estimate(
    measure: (sums: Float64Array) => number,
    options: Omit<ClusterMeasureOptions, 'seed'>,
  ): Measurement | undefined {
    const found = this.#sums.measure(measure);
    return found && estimateMeasure(found, { ...options, clusters: this.#clusters.size });
  }
}

interface MeasureSettings extends Omit<ClusterMeasureOptions, 'seed'> {
  readonly clusters: number;
  /** The number of clusters, counted as if they were of one size. */
  readonly evenCount?: number | undefined;
  /** Whether it counts what is right and wrong, which may be so all over a cluster. */
  readonly isCounted?: boolean | undefined;
}

/** Nothing for a measure that has no value. */
function estimateMeasure(
  { value, resampled }: MeasuredSums,
  { clusters, evenCount = clusters, isCounted, range, level = defaultLevel }: MeasureSettings,
): Measurement | undefined {
  if (Number.isNaN(value)) return undefined;
  if (clusters < 2) return { value, interval: 'too few' };
  const [lowest, highest] = range;
  const [low, high] = clusterEnds(value, {
    variance: (varianceOf(resampled) * clusters) / (clusters - 1),
    variancePerCluster: isCounted ? ((value - lowest) * (highest - value)) / evenCount : 0,
    clusters: evenCount,
    range: value < lowest || value > highest ? [-Infinity, Infinity] : range,
    reach: clusterReach(clusters, level),
  });
  return { value, low, high, level, method: 'clustered' };
}

function varianceOf(values: Float64Array): number {
  const known = values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, known.length - 1);
}
