import { requireLevel, requireThat } from './check.ts';
import { defaultLevel, type Estimate } from './estimate.ts';
import { findRoot } from './find-root.ts';
import { normalReach } from './normal.ts';
import { ValueCounts } from './value-counts.ts';

/** Different values and how often each occurred, which need not be a whole number of times. */
export type WeighedValues = readonly (readonly [value: number, weight: number])[];

export interface BoundedOptions {
  /** What a value can be; from 0 to 1 unless said otherwise. */
  readonly range?: readonly [lowest: number, highest: number] | undefined;
  readonly level?: number | undefined;
}

/**
 * The mean of values that have a lowest and a highest possible one, with an interval that holds for
 * any distribution of them (Learned-Miller and Thomas, 2019); nothing if there are no values.
 *
 * @example
 * boundedMean([0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0]);
 * // { value: 0.05, low: 0.001…, high: 0.355…, level: 0.95, method: 'bounded' }
 */
export function boundedMean(
  values: Iterable<number>,
  { range = [0, 1], level = defaultLevel }: BoundedOptions = {},
): Estimate | undefined {
  const counts = new ValueCounts();
  const [lowest, highest] = range;
  for (const value of values) {
    requireThat(
      value >= lowest && value <= highest,
      `${value} is not a score from ${lowest} to ${highest}`,
    );
    counts.add(value);
  }
  if (counts.size === 0) return undefined;
  const ends = boundedEnds(counts.entries(), { range, level });
  return { value: counts.mean, ...ends, level, method: 'bounded' };
}

/**
 * The ends of the interval of a mean. The upper end is that of a mean in which all values weigh by
 * chance (Rubin's Bayesian bootstrap), with one more value at the highest possible one: what was not
 * seen may be as far out as that. The lower end is its mirror image. Of values that are all the
 * lowest or the highest it is the exact interval of Clopper and Pearson.
 */
export function boundedEnds(
  values: WeighedValues,
  { range = [0, 1], level = defaultLevel }: BoundedOptions = {},
): { readonly low: number; readonly high: number } {
  requireLevel(level);
  const reach = normalReach(level);
  const [lowest, highest] = range;
  const mirrored = values.map(([value, weight]): [number, number] => [-value, weight]);
  return { low: -upperEnd(mirrored, -lowest, reach), high: upperEnd(values, highest, reach) };
}

function upperEnd(seen: WeighedValues, highest: number, reach: number): number {
  if (seen.every(([value]) => value === highest)) return highest;
  const values = Float64Array.from([...seen.map(([value]) => value), highest]);
  const weights = Float64Array.from([...seen.map(([, weight]) => weight), 1]);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0) / total;
  const distance = (point: number) => distanceTo(point, { values, weights, highest });
  return findRoot((point) => distance(point) - reach, { from: mean, to: highest });
}

interface Weighed {
  readonly values: Float64Array;
  readonly weights: Float64Array;
  readonly highest: number;
}

/** Nearer to the middle than this the formula below would divide rounding errors. */
const nearMiddle = 1e-3;

/**
 * How far out a point above the mean is, in standard normal terms. Weights by chance are gamma
 * variables, so that the mean lies below the point if a sum of such variables lies below 0. How
 * likely that is comes from its saddlepoint (Barndorff-Nielsen's r*), right to a few in a thousand.
 */
function distanceTo(point: number, { values, weights, highest }: Weighed): number {
  const room = highest - point;
  const at = findSaddlepoint({ values, weights, point, room });
  let logarithms = 0;
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) {
    const gap = ((values[index] as number) - point) / room;
    const weight = weights[index] as number;
    const left = 1 - at * gap;
    logarithms += weight * Math.log(left);
    squares += weight * (gap / left) ** 2;
  }
  const distance = Math.sqrt(Math.max(0, 2 * logarithms));
  if (distance < nearMiddle) return 0;
  return distance + Math.log((at * Math.sqrt(squares)) / distance) / distance;
}

const maxSteps = 100;

/** Where the sum of weight · gap / (1 − s · gap) is 0, for s from 0 to 1: Newton, kept in bounds. */
function findSaddlepoint({
  values,
  weights,
  point,
  room,
}: Omit<Weighed, 'highest'> & { readonly point: number; readonly room: number }): number {
  let low = 0;
  let high = 1;
  let at = 0.5;
  for (let step = 0; step < maxSteps; step += 1) {
    let slope = 0;
    let sum = 0;
    for (let index = 0; index < values.length; index += 1) {
      const gap = ((values[index] as number) - point) / room;
      const part = gap / (1 - at * gap);
      const weight = weights[index] as number;
      sum += weight * part;
      slope += weight * part * part;
    }
    if (sum < 0) low = at;
    else high = at;
    const next = at - sum / slope;
    const inside = next > low && next < high ? next : (low + high) / 2;
    if (Math.abs(inside - at) <= 1e-14) return inside;
    at = inside;
  }
  return at;
}
