import { keyedRandom } from '../base/keyed-random.ts';
import { percentiles } from './bootstrap-table.ts';
import { requireLevel, requireThat } from './check.ts';
import type { ClusterName } from './cluster-sums.ts';
import { differenceInterval } from './clustered-difference.ts';
import { defaultLevel, type Estimate, hasInterval } from './estimate.ts';
import {
  type Contributions,
  groupContributions,
  type UnitContributions,
} from './group-contributions.ts';
import { normalShareAbove } from './normal.ts';
import type { PermutationResult } from './permutation.ts';

/** Two sides of the same rows, in the same order. */
export interface PairedMetric {
  readonly a: Contributions;
  readonly b: Contributions;
  /** The cluster of each row, if rows come in such: they are drawn and swapped together. */
  readonly clusters?: ArrayLike<ClusterName> | undefined;
  /** How large a difference of the measure can be at most. */
  readonly largest?: number | undefined;
  /** How many cells, or numbers a row, there are. */
  readonly length: number;
  readonly measure: (totals: Float64Array) => number;
}

export interface MetricDifference {
  readonly a: number;
  readonly b: number;
  /** B less A; left out with one cluster, and where resamples are mostly alike. */
  readonly difference?: Estimate | undefined;
  readonly standardError: number;
  readonly p: number;
  readonly method: PermutationResult['method'];
}

const resamples = 1000;
const swaps = 999;
/** All swaps of so many rows take about as long as those that are drawn for more. */
const maxExact = 12;
/** Resamples of this size settle the shape of the distribution; its width is then scaled. */
const largestResample = 10_000;

/**
 * Compares a measure of all rows together, such as macro F1: a paired bootstrap for the interval,
 * and for p how often the difference is as large when each row's sides are swapped by chance: in all
 * ways where few rows differ. Nothing without rows.
 *
 * @example
 * const a = { type: 'sums', sums: Float64Array.of(0, 1, 0, 1) } as const;
 * const b = { type: 'sums', sums: Float64Array.of(1, 1, 1, 1) } as const;
 * const measure = ([hits = 0]: Float64Array) => hits / 4;
 * compareDatasetMetrics({ a, b, length: 1, measure }, { seed: 1 });
 * // { a: 0.5, b: 1, difference: { value: 0.5, low: 0, high: 1, … }, p: 0.5, … }
 */
export function compareDatasetMetrics(
  paired: PairedMetric,
  { seed, level = defaultLevel }: { readonly seed: number; readonly level?: number | undefined },
): MetricDifference | undefined {
  requireLevel(level);
  const rows = sizeOf(paired.a, paired.length);
  requireThat(rows === sizeOf(paired.b, paired.length), 'The sides have different rows');
  if (rows === 0) return undefined;
  const { clusters } = paired;
  const groups = clusters && {
    a: groupContributions(paired.a, { clusters, length: paired.length }),
    b: groupContributions(paired.b, { clusters, length: paired.length }),
  };
  const units = clusters ? new Set(Array.from(clusters)).size : rows;
  const meter = new Meter({ ...paired, ...groups });
  for (let unit = 0; unit < units; unit += 1) meter.add(unit, false);
  const { a, b } = meter.take();
  const value = b - a;
  const shifts = resampleShifts(meter, { units, seed, value });
  const spread = Math.sqrt(shifts.reduce((sum, shift) => sum + shift ** 2, 0) / resamples);
  // Drawing from few clusters finds too little spread among them.
  const standardError = clusters && units > 1 ? spread * Math.sqrt(units / (units - 1)) : spread;
  const difference = clusters
    ? clusteredInterval(value, { ...paired, clusters: units, standardError, level })
    : percentileInterval(value, { shifts, units, level });
  return {
    a,
    b,
    ...(difference && { difference }),
    standardError,
    ...testSwaps(meter, { units, seed, value, standardError }),
  };
}

interface PercentileOptions {
  readonly shifts: Float64Array;
  readonly units: number;
  readonly level: number;
}

/** Nothing where the resampled differences are mostly alike. */
function percentileInterval(
  value: number,
  { shifts, units, level }: PercentileOptions,
): Estimate | undefined {
  const found = percentiles(
    value,
    shifts.map((shift) => value + shift),
    { units, level },
  );
  return hasInterval(found) ? found : undefined;
}

function clusteredInterval(
  value: number,
  settings: Parameters<typeof differenceInterval>[1],
): Estimate | undefined {
  return settings.clusters > 1 ? differenceInterval(value, settings) : undefined;
}

interface Draws {
  /** Rows, or clusters of them. */
  readonly units: number;
  readonly seed: number;
  /** The difference that was found. */
  readonly value: number;
}

function resampleShifts(meter: Meter, { units, seed, value }: Draws): Float64Array {
  const random = keyedRandom(seed, 'wholes');
  const size = Math.min(units, largestResample);
  const shifts = Float64Array.from({ length: resamples }, () => {
    for (let index = 0; index < size; index += 1) meter.add(random.below(units), false);
    const { a, b } = meter.take();
    return (b - a - value) * Math.sqrt(size / units);
  });
  return shifts.sort();
}

function testSwaps(
  meter: Meter,
  { units, seed, value, standardError }: Draws & { readonly standardError: number },
): Pick<MetricDifference, 'p' | 'method'> {
  const differing = meter.differing(units, maxExact);
  if (differing) return { p: exactShare(meter, { units, value, differing }), method: 'exact' };
  if (units > largestResample) {
    const p = value === 0 ? 1 : 2 * normalShareAbove(Math.abs(value) / standardError);
    return { p, method: 'normal' };
  }
  const random = keyedRandom(seed, 'swaps');
  let hits = 0;
  for (let swap = 0; swap < swaps; swap += 1) {
    for (let unit = 0; unit < units; unit += 1) meter.add(unit, random.below(2) === 1);
    if (isAsLarge(meter, value)) hits += 1;
  }
  return { p: (hits + 1) / (swaps + 1), method: 'sampled' };
}

/** The share of all swaps of the units that differ; the others stay as they are. */
function exactShare(
  meter: Meter,
  { units, value, differing }: Omit<Draws, 'seed'> & { readonly differing: readonly number[] },
): number {
  const choices = 2 ** differing.length;
  const rest = new Set(differing);
  for (let unit = 0; unit < units; unit += 1) if (!rest.has(unit)) meter.add(unit, false);
  meter.keep();
  let hits = 0;
  for (let choice = 0; choice < choices; choice += 1) {
    for (const [place, unit] of differing.entries()) meter.add(unit, (choice >> place) % 2 === 1);
    if (isAsLarge(meter, value)) hits += 1;
  }
  return hits / choices;
}

/** Differences that are equal but for rounding count as equal. */
function isAsLarge(meter: Meter, value: number): boolean {
  const { a, b } = meter.take();
  return Math.abs(b - a) >= Math.abs(value) - 1e-12;
}

interface Metered extends Pick<PairedMetric, 'length' | 'measure'> {
  readonly a: UnitContributions;
  readonly b: UnitContributions;
}

/** Adds up rows, or clusters of them, on both sides and measures the totals. */
class Meter {
  readonly #paired: Metered;
  readonly #a: Float64Array;
  readonly #b: Float64Array;
  /** What it starts from on both sides: units that are the same on both. */
  readonly #kept: Float64Array;

  constructor(paired: Metered) {
    this.#paired = paired;
    this.#a = new Float64Array(paired.length);
    this.#b = new Float64Array(paired.length);
    this.#kept = new Float64Array(paired.length);
  }

  /** The units whose sides are not the same; nothing if there are more than so many. */
  differing(units: number, most: number): number[] | undefined {
    const found: number[] = [];
    for (let unit = 0; unit < units; unit += 1) {
      if (!isSame(this.#paired, unit)) found.push(unit);
      if (found.length > most) return undefined;
    }
    return found;
  }

  add(unit: number, isSwapped: boolean): void {
    addUnit(isSwapped ? this.#b : this.#a, this.#paired.a, unit);
    addUnit(isSwapped ? this.#a : this.#b, this.#paired.b, unit);
  }

  /** The measures of what was added, from which on it starts anew. */
  take(): { readonly a: number; readonly b: number } {
    const measures = { a: this.#paired.measure(this.#a), b: this.#paired.measure(this.#b) };
    this.#a.set(this.#kept);
    this.#b.set(this.#kept);
    return measures;
  }

  /** Starts from what was added, which is the same on both sides. */
  keep(): void {
    this.#kept.set(this.#a);
  }
}

/** Whether a unit adds the same on both sides. */
function isSame({ a, b, length }: Metered, unit: number): boolean {
  if (a.type === 'cells' && b.type === 'cells') return a.cells[unit] === b.cells[unit];
  const [one, other] = [a, b].map((side) => {
    const totals = new Float64Array(length);
    addUnit(totals, side, unit);
    return totals;
  });
  return one?.every((total, index) => total === other?.[index]) ?? true;
}

function addUnit(totals: Float64Array, contributions: UnitContributions, unit: number): void {
  switch (contributions.type) {
    case 'cells': {
      const cell = contributions.cells[unit] ?? 0;
      totals[cell] = (totals[cell] ?? 0) + 1;
      return;
    }
    case 'tables':
      for (const [cell, count] of contributions.tables[unit] ?? []) {
        totals[cell] = (totals[cell] ?? 0) + count;
      }
      return;
    case 'sums': {
      const start = unit * totals.length;
      for (let index = 0; index < totals.length; index += 1) {
        totals[index] = (totals[index] ?? 0) + (contributions.sums[start + index] ?? 0);
      }
    }
  }
}

function sizeOf(contributions: Contributions, length: number): number {
  return contributions.type === 'cells'
    ? contributions.cells.length
    : contributions.sums.length / length;
}
