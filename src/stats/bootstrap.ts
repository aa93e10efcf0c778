import { keyedRandom } from '../base/keyed-random.ts';
import { requireLevel, requireThat } from './check.ts';
import { defaultLevel, type Estimate } from './estimate.ts';
import { ValueCounts } from './value-counts.ts';

export interface BootstrapOptions {
  readonly seed: number;
  readonly resamples?: number | undefined;
  readonly level?: number | undefined;
}

// Resamples of this size settle the shape of the distribution; its width is then scaled.
export const largestResample = 4096;

/**
 * The mean of some values with a percentile bootstrap interval; nothing if there are no values.
 *
 * @example
 * bootstrapMean([0.2, 0.9, 0.4, 1, 0.7], { seed: 1 });
 * // { value: 0.64, low: 0.38, high: 0.9, level: 0.95, method: 'bootstrap' }
 */
export function bootstrapMean(
  values: Iterable<number>,
  options: BootstrapOptions,
): Estimate | undefined {
  const counts = new ValueCounts();
  for (const value of values) {
    requireThat(Number.isFinite(value), `${value} is not a score`);
    counts.add(value);
  }
  return bootstrapCounts(counts, options);
}

/** The same for values that were counted. */
export function bootstrapCounts(
  counts: ValueCounts,
  { seed, resamples = 2000, level = defaultLevel }: BootstrapOptions,
): Estimate | undefined {
  requireLevel(level);
  requireThat(Number.isSafeInteger(resamples) && resamples > 0, `${resamples} is not a count`);
  if (counts.size === 0) return undefined;
  const { mean: value } = counts;
  const shifts = resampleShifts(counts, { seed, resamples });
  const tail = (1 - level) / 2;
  return {
    value,
    low: Math.min(value, value + quantile(shifts, tail)),
    high: Math.max(value, value + quantile(shifts, 1 - tail)),
    level,
    method: 'bootstrap',
  };
}

/** How far the means of resamples lie from the mean, in rising order. */
export function resampleShifts(
  counts: ValueCounts,
  { seed, resamples }: { readonly seed: number; readonly resamples: number },
): Float64Array {
  const entries = counts.entries();
  const random = keyedRandom(seed, 'bootstrap');
  const draw = drawer(entries, counts.size);
  const size = Math.min(counts.size, largestResample);
  const scale = Math.sqrt(size / counts.size);
  const center = entries.reduce((sum, [value, count]) => sum + value * (count / counts.size), 0);
  const shifts = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let index = 0; index < size; index += 1) sum += draw(random.below(counts.size));
    return (sum / size - center) * scale;
  });
  return shifts.sort();
}

/** Looks up the value at a position among all values in rising order. */
function drawer(entries: readonly [value: number, count: number][], size: number) {
  if (size <= largestResample) {
    const all = entries.flatMap(([value, count]) => Array<number>(count).fill(value));
    return (position: number) => all[position] ?? 0;
  }
  const values = Float64Array.from(entries, ([value]) => value);
  let total = 0;
  const ends = Float64Array.from(entries, ([, count]) => (total += count));
  return (position: number) => {
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (position < (ends[middle] ?? 0)) high = middle;
      else low = middle + 1;
    }
    return values[low] ?? 0;
  };
}

/** The quantile of sorted values, between the two nearest ones. */
export function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}
