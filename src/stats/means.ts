import { requireThat } from './check.ts';
import { type Estimate, hasInterval, type Measurement } from './estimate.ts';

/** The mean of some values; nothing if there are none. */
export function meanOf(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export interface AverageOptions {
  /** How two of the estimates, by their places, vary together, from 0 to 1; left out, not at all. */
  readonly correlation?: ((one: number, other: number) => number) | undefined;
  /** What each of the estimates counts for; all the same by default. */
  readonly weights?: readonly number[] | undefined;
}

/**
 * The mean of estimates, unweighted by default; nothing if there are none, and without an interval if one of them
 * has none. The distances from each value to the ends of its interval add up as squares do (Zou and
 * Donner's MOVER, Statistics in Medicine 27, 2008), so that a lopsided interval stays lopsided; where
 * estimates vary together, their products count as well. Without `correlation` they are taken as
 * independent. Near a bound the distances to it are too short together: to neither side it reaches
 * less far than half the widths of the intervals do.
 *
 * @example
 * const estimates = [wilson(8, 10), wilson(45, 50)].flatMap((estimate) => estimate ?? []);
 * groupAverage(estimates);
 * // { value: 0.85, low: 0.684…, high: 0.949…, level: 0.95, method: 'combined' }
 */
export function groupAverage(
  estimates: readonly Estimate[],
  options?: AverageOptions,
): Estimate | undefined;
export function groupAverage(
  estimates: readonly Measurement[],
  options?: AverageOptions,
): Measurement | undefined;
export function groupAverage(
  measured: readonly Measurement[],
  { correlation = () => 0, weights }: AverageOptions = {},
): Measurement | undefined {
  const total = weights?.reduce((sum, weight) => sum + weight, 0) ?? measured.length;
  const weightOf = (place: number) => (weights ? (weights[place] ?? 0) : 1);
  const mean = (values: readonly number[]) =>
    values.length === 0
      ? undefined
      : values.reduce((sum, one, place) => sum + one * weightOf(place), 0) / total;
  const value = mean(measured.map((estimate) => estimate.value));
  const estimates = measured.filter(hasInterval);
  const [first] = estimates;
  if (value === undefined) return undefined;
  if (!first || estimates.length < measured.length) {
    const isPartial = measured.some(({ interval }) => interval === 'partial');
    return { value, interval: isPartial ? 'partial' : 'too few' };
  }
  const { level } = first;
  requireThat(
    estimates.every((estimate) => estimate.level === level),
    'Intervals of different levels cannot be combined',
  );
  const reach = (distanceOf: (estimate: Estimate) => number) => {
    const distances = estimates.map((estimate, index) => distanceOf(estimate) * weightOf(index));
    let squares = 0;
    for (const [one, distance] of distances.entries()) {
      squares += distance ** 2;
      for (let other = 0; other < one; other += 1) {
        squares += 2 * correlation(other, one) * distance * (distances[other] ?? 0);
      }
    }
    return Math.sqrt(squares) / total;
  };
  const least = reach(({ low, high }) => (high - low) / 2);
  const down = Math.max(
    least,
    reach((estimate) => estimate.value - estimate.low),
  );
  const up = Math.max(
    least,
    reach((estimate) => estimate.high - estimate.value),
  );
  return {
    value,
    low: Math.max(value - down, mean(estimates.map(({ low }) => low)) ?? 0),
    high: Math.min(value + up, mean(estimates.map(({ high }) => high)) ?? 0),
    level,
    method: 'combined',
  };
}
