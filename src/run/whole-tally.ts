import type { DatasetMetric, Scored } from '../score/scorer.ts';
import type { Measurement } from '../stats/estimate.ts';
import type { Cells, Sums, Tallies } from './tallies.ts';

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
