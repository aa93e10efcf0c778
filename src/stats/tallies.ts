import { keyedRandom } from '../base/keyed-random.ts';
import type { BootstrapOptions } from './bootstrap.ts';
import { bootstrapTable, percentiles } from './bootstrap-table.ts';
import { requireThat } from './check.ts';
import { defaultLevel, type Measurement } from './estimate.ts';
import { estimateMean, type MeanOptions } from './mean-estimate.ts';
import { ValueCounts } from './value-counts.ts';

const resamples = 500;

export interface MeasuredSums {
  readonly value: number;
  readonly resampled: Float64Array;
}

/**
 * Sums the numbers that rows add to a measure of all of them, as they come. Beside the sums there
 * are resampled ones: each takes a row as often as Poisson's distribution with mean 1 says, by a
 * draw that depends on the seed and the row alone. The order of rows does not matter.
 */
export class SumTally {
  readonly #seed: number;
  #sums = new Float64Array(0);
  /** The sums of all resamples, one after the other. */
  #resampled = new Float64Array(0);
  readonly #rows = new Uint32Array(resamples);
  #size = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  get size(): number {
    return this.#size;
  }

  add(row: string | number, counts: readonly number[]): void {
    if (this.#size === 0) {
      this.#sums = new Float64Array(counts.length);
      this.#resampled = new Float64Array(counts.length * resamples);
    }
    requireThat(
      counts.length === this.#sums.length && counts.every(Number.isFinite),
      `Row ${row} adds [${counts}] to ${this.#sums.length} sums`,
    );
    this.#size += 1;
    for (const [index, count] of counts.entries())
      this.#sums[index] = count + (this.#sums[index] ?? 0);
    this.#addToResamples(row, counts);
  }

  /** The rows of both: no row may be in one and the other. */
  with(other: SumTally): SumTally {
    if (this.#size === 0 || other.#size === 0) return this.#size === 0 ? other : this;
    requireThat(this.#sums.length === other.#sums.length, 'The sums are of different numbers');
    const joined = new SumTally(this.#seed);
    const add = (own: Float64Array, others: Float64Array) =>
      own.map((sum, index) => sum + (others[index] ?? 0));
    joined.#sums = add(this.#sums, other.#sums);
    joined.#resampled = add(this.#resampled, other.#resampled);
    joined.#rows.set(this.#rows.map((rows, index) => rows + (other.#rows[index] ?? 0)));
    joined.#size = this.#size + other.#size;
    return joined;
  }

  /** One draw serves two resamples. This is most of the work of a run, so it makes no objects. */
  #addToResamples(row: string | number, counts: readonly number[]): void {
    const random = keyedRandom(this.#seed, `sums/${row}`);
    const start = random.below(2 ** 32);
    const step = random.below(2 ** 32) | 1;
    const resampled = this.#resampled;
    const table = poissonTable();
    const size = counts.length;
    let word = 0;
    for (let index = 0; index < resamples; index += 1) {
      word = index % 2 === 0 ? scramble((start + Math.imul(index, step)) | 0) : word >>> 16;
      const times = table[word & 0xffff] ?? 0;
      if (times === 0) continue;
      this.#rows[index] = (this.#rows[index] ?? 0) + times;
      const at = index * size;
      for (let position = 0; position < size; position += 1) {
        resampled[at + position] =
          (resampled[at + position] ?? 0) + times * (counts[position] ?? 0);
      }
    }
  }

  /** A measure of the sums with a percentile bootstrap interval; nothing without rows. */
  estimate(
    measure: (sums: Float64Array) => number,
    { level = defaultLevel }: Partial<BootstrapOptions> = {},
  ): Measurement | undefined {
    const found = this.measure(measure);
    return found && percentiles(found.value, found.resampled, { units: this.#size, level });
  }

  /** A measure of the sums and of those of the resamples; nothing without rows. */
  measure(measure: (sums: Float64Array) => number): MeasuredSums | undefined {
    if (this.#size === 0) return undefined;
    const { length } = this.#sums;
    const values: number[] = [];
    // A resample without rows says nothing; that happens when there are only a few.
    for (let index = 0; index < resamples; index += 1) {
      if (this.#rows[index] === 0) continue;
      values.push(measure(this.#resampled.subarray(index * length, (index + 1) * length)));
    }
    return { value: measure(this.#sums), resampled: Float64Array.from(values) };
  }
}

/** The end of MurmurHash3: every bit of a word depends on every bit of the number. */
function scramble(number: number): number {
  let word = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return word ^ (word >>> 16);
}

let drawn: Uint8Array | undefined;

/** Poisson's distribution with mean 1 as a table of 2^16 equally likely draws. */
function poissonTable(): Uint8Array {
  drawn ??= makePoissonTable();
  return drawn;
}

function makePoissonTable(): Uint8Array {
  const table = new Uint8Array(2 ** 16);
  let times = 0;
  let share = Math.exp(-1);
  let below = share;
  for (let draw = 0; draw < table.length; draw += 1) {
    while ((draw + 0.5) / table.length > below) {
      times += 1;
      share /= times;
      below += share;
    }
    table[draw] = times;
  }
  return table;
}

/** Makes a measure of counts, given the cells that are counted. */
export type CellMeasure = (cells: readonly string[]) => (counts: ArrayLike<number>) => number;

export const maxCells = 65_536;

/** Counts the cells of a table as they come. Past a number of different ones it gives up. */
export class CellTally {
  readonly #counts = new Map<string, number>();
  #isFull = false;

  /** Whether there were too many different cells. */
  get isFull(): boolean {
    return this.#isFull;
  }

  add(cell: string): void {
    this.#addTimes(cell, 1);
  }

  #addTimes(cell: string, times: number): void {
    if (this.#isFull) return;
    this.#counts.set(cell, (this.#counts.get(cell) ?? 0) + times);
    if (this.#counts.size <= maxCells) return;
    this.#isFull = true;
    this.#counts.clear();
  }

  /** The cells of both. */
  with(other: CellTally): CellTally {
    const joined = new CellTally();
    joined.#isFull = this.#isFull || other.#isFull;
    for (const tally of [this, other])
      for (const [cell, count] of tally.#counts) joined.#addTimes(cell, count);
    return joined;
  }

  /** Nothing without cells, or with too many. */
  estimate(measure: CellMeasure, options: BootstrapOptions): Measurement | undefined {
    const entries = [...this.#counts].sort(([left], [right]) => (left < right ? -1 : 1));
    const cells = entries.map(([cell]) => cell);
    const counts = entries.map(([, count]) => count);
    return bootstrapTable(counts, measure(cells), options);
  }
}

/** Takes scores one by one, in constant memory, and estimates their mean. */
export class ScoreTally {
  #counts = new ValueCounts();

  get size(): number {
    return this.#counts.size;
  }

  /** A tally that goes on from here by itself. */
  copy(): ScoreTally {
    const copy = new ScoreTally();
    copy.#counts = this.#counts.copy();
    return copy;
  }

  add(score: number): void {
    requireThat(Number.isFinite(score), `${score} is not a score`);
    this.#counts.add(score);
  }

  /** Wilson's interval if all scores are 0 or 1, else one for any scores; nothing without scores. */
  estimate(options: MeanOptions = {}): Measurement | undefined {
    return estimateMean(this.#counts, options);
  }
}
