import type { MetricTraits } from '../score/metrics/metric.ts';
import type { DatasetMetric, Scored } from '../score/scorer.ts';
import type { BootstrapOptions } from '../stats/bootstrap.ts';
import type { Measurement } from '../stats/estimate.ts';
import { type CellMeasure, CellTally, ScoreTally, SumTally } from '../stats/tallies.ts';

type Range = MetricTraits['range'];
/** A row, or the cluster that it belongs to: what resamples hold whole. */
type Unit = string | number;

interface MeasureOptions extends BootstrapOptions {
  readonly range: Range;
}

export interface ScoreMeans {
  readonly size: number;
  /** How many clusters the rows come in, if they do. */
  readonly clusters?: number;
  add(score: number, unit: Unit): void;
  copy(): ScoreMeans;
  estimate(options: { readonly range: Range }): Measurement | undefined;
}

export interface Cells {
  readonly isFull: boolean;
  add(cell: string, unit: Unit): void;
  /** The cells of both, in a tally of the same kind. */
  with(other: Cells): Cells;
  estimate(measure: CellMeasure, options: MeasureOptions): Measurement | undefined;
}

export interface Sums {
  readonly size: number;
  add(unit: Unit, counts: readonly number[]): void;
  /** The sums of both, in a tally of the same kind. */
  with(other: Sums): Sums;
  estimate(
    measure: (sums: Float64Array) => number,
    options: MeasureOptions,
  ): Measurement | undefined;
}

/** What rows are added up in. */
export interface Tallies {
  readonly scores: (range: Range) => ScoreMeans;
  readonly cells: () => Cells;
  readonly sums: (seed: number) => Sums;
}

export const talliesOfRows: Tallies = {
  scores: () => new ScoreTally(),
  cells: () => new CellTally(),
  sums: (seed) => new SumTally(seed),
};

/** Rows that come in clusters, the column that says so, and what they are added up in. */
export interface ClusteredRows {
  readonly by: string;
  readonly tallies: Tallies;
}

/** Nothing if no column says which rows belong together. */
export async function openClusters(by: string | undefined): Promise<ClusteredRows | undefined> {
  if (by === undefined) return undefined;
  const { ClusterCellTally, ClusterScoreTally, ClusterSumTally } = await import(
    '../stats/cluster-tallies.ts'
  );
  return {
    by,
    tallies: {
      scores: (range) => new ClusterScoreTally(range),
      cells: () => new ClusterCellTally(),
      sums: (seed) => new ClusterSumTally(seed),
    },
  };
}

const seed = 0;

type Contribution = Pick<Scored, 'cell' | 'counts'>;

/** Adds up what rows add to measures of all of them together. */
export class WholeTally {
  readonly #tallies: Tallies;
  readonly #cells: Cells;
  /** By how many numbers rows add: a damaged record may have others. */
  readonly #sums: Map<number, Sums>;

  constructor(tallies: Tallies, { cells = tallies.cells(), sums = new Map() }: Parts = {}) {
    this.#tallies = tallies;
    this.#cells = cells;
    this.#sums = sums;
  }

  /** Whether there were too many different cells. */
  get isFull(): boolean {
    return this.#cells.isFull;
  }

  add({ cell, counts }: Contribution, unit: string | number): void {
    if (cell !== undefined) this.#cells.add(cell, unit);
    if (!counts) return;
    const sums = this.#sums.get(counts.length) ?? this.#tallies.sums(seed);
    this.#sums.set(counts.length, sums);
    sums.add(unit, counts);
  }

  /** The rows of both. */
  with(other: WholeTally): WholeTally {
    const sums = new Map(this.#sums);
    for (const [length, added] of other.#sums) {
      const own = sums.get(length);
      sums.set(length, own ? own.with(added) : added);
    }
    return new WholeTally(this.#tallies, { cells: this.#cells.with(other.#cells), sums });
  }

  estimate(metric: DatasetMetric): Measurement | undefined {
    const options = { seed, range: metric.range };
    return metric.type === 'cells'
      ? this.#cells.estimate(metric.measure, options)
      : this.#maxSums?.estimate(metric.measure, options);
  }

  get #maxSums(): Sums | undefined {
    return [...this.#sums.values()].sort((one, other) => other.size - one.size)[0];
  }
}

interface Parts {
  readonly cells?: Cells;
  readonly sums?: Map<number, Sums>;
}
