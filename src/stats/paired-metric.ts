import { keyedRandom } from '../base/keyed-random.ts';
import { quantile } from './bootstrap.ts';
import { requireLevel, requireThat } from './check.ts';
import { defaultLevel, type Estimate } from './estimate.ts';
import { normalShareAbove } from './normal.ts';

/** What the rows of one side add to a measure of all of them: a cell each, or numbers each. */
export type Contributions =
  | { readonly type: 'cells'; readonly cells: Uint32Array }
  | { readonly type: 'sums'; readonly sums: Float64Array };

/** Two sides of the same rows, in the same order. */
export interface PairedMetric {
  readonly a: Contributions;
  readonly b: Contributions;
  /** How many cells, or numbers a row, there are. */
  readonly length: number;
  readonly measure: (totals: Float64Array) => number;
}

export interface MetricDifference {
  readonly a: number;
  readonly b: number;
  /** B less A. */
  readonly difference: Estimate;
  readonly standardError: number;
  readonly p: number;
  readonly method: 'sampled' | 'normal';
}

const resamples = 1000;
const swaps = 999;
/** Resamples of this size settle the shape of the distribution; its width is then scaled. */
const largestResample = 10_000;

/**
 * Compares a measure of all rows together, such as macro F1: a paired bootstrap for the interval,
 * and for p how often the difference is as large when each row's sides are swapped by chance.
 * Nothing without rows.
 *
 * @example
 * const a = { type: 'sums', sums: Float64Array.of(0, 1, 0, 1) } as const;
 * const b = { type: 'sums', sums: Float64Array.of(1, 1, 1, 1) } as const;
 * const measure = ([hits = 0]: Float64Array) => hits / 4;
 * compareDatasetMetrics({ a, b, length: 1, measure }, { seed: 1 });
 * // { a: 0.5, b: 1, difference: { value: 0.5, low: 0, high: 1, … }, p: 0.501, … }
 */
export function compareDatasetMetrics(
  paired: PairedMetric,
  { seed, level = defaultLevel }: { readonly seed: number; readonly level?: number | undefined },
): MetricDifference | undefined {
  requireLevel(level);
  const pairs = sizeOf(paired.a, paired.length);
  requireThat(pairs === sizeOf(paired.b, paired.length), 'The sides have different rows');
  if (pairs === 0) return undefined;
  const meter = new Meter(paired);
  for (let pair = 0; pair < pairs; pair += 1) meter.add(pair, false);
  const { a, b } = meter.take();
  const value = b - a;
  const shifts = resampleShifts(meter, { pairs, seed, value });
  const standardError = Math.sqrt(shifts.reduce((sum, shift) => sum + shift ** 2, 0) / resamples);
  const tail = (1 - level) / 2;
  return {
    a,
    b,
    difference: {
      value,
      low: Math.min(value, value + quantile(shifts, tail)),
      high: Math.max(value, value + quantile(shifts, 1 - tail)),
      level,
      method: 'bootstrap',
    },
    standardError,
    ...testSwaps(meter, { pairs, seed, value, standardError }),
  };
}

interface Draws {
  readonly pairs: number;
  readonly seed: number;
  /** The difference that was found. */
  readonly value: number;
}

function resampleShifts(meter: Meter, { pairs, seed, value }: Draws): Float64Array {
  const random = keyedRandom(seed, 'wholes');
  const size = Math.min(pairs, largestResample);
  const shifts = Float64Array.from({ length: resamples }, () => {
    for (let index = 0; index < size; index += 1) meter.add(random.below(pairs), false);
    const { a, b } = meter.take();
    return (b - a - value) * Math.sqrt(size / pairs);
  });
  return shifts.sort();
}

function testSwaps(
  meter: Meter,
  { pairs, seed, value, standardError }: Draws & { readonly standardError: number },
): Pick<MetricDifference, 'p' | 'method'> {
  if (pairs > largestResample) {
    const p = value === 0 ? 1 : 2 * normalShareAbove(Math.abs(value) / standardError);
    return { p, method: 'normal' };
  }
  const random = keyedRandom(seed, 'swaps');
  let hits = 0;
  for (let swap = 0; swap < swaps; swap += 1) {
    for (let pair = 0; pair < pairs; pair += 1) meter.add(pair, random.below(2) === 1);
    const { a, b } = meter.take();
    if (Math.abs(b - a) >= Math.abs(value) - 1e-12) hits += 1;
  }
  return { p: (hits + 1) / (swaps + 1), method: 'sampled' };
}

/** Adds up rows on both sides and measures the totals. */
class Meter {
  readonly #paired: PairedMetric;
  readonly #a: Float64Array;
  readonly #b: Float64Array;

  constructor(paired: PairedMetric) {
    this.#paired = paired;
    this.#a = new Float64Array(paired.length);
    this.#b = new Float64Array(paired.length);
  }

  add(pair: number, isSwapped: boolean): void {
    addRow(isSwapped ? this.#b : this.#a, this.#paired.a, pair);
    addRow(isSwapped ? this.#a : this.#b, this.#paired.b, pair);
  }

  /** The measures of what was added, from which on it starts anew. */
  take(): { readonly a: number; readonly b: number } {
    const measures = { a: this.#paired.measure(this.#a), b: this.#paired.measure(this.#b) };
    this.#a.fill(0);
    this.#b.fill(0);
    return measures;
  }
}

function addRow(totals: Float64Array, contributions: Contributions, row: number): void {
  if (contributions.type === 'cells') {
    const cell = contributions.cells[row] ?? 0;
    totals[cell] = (totals[cell] ?? 0) + 1;
    return;
  }
  const start = row * totals.length;
  for (let index = 0; index < totals.length; index += 1) {
    totals[index] = (totals[index] ?? 0) + (contributions.sums[start + index] ?? 0);
  }
}

function sizeOf(contributions: Contributions, length: number): number {
  return contributions.type === 'cells'
    ? contributions.cells.length
    : contributions.sums.length / length;
}
