import { requireThat } from './check.ts';
import { type Estimate, hasInterval, type Measurement } from './estimate.ts';

/** The mean of some values; nothing if there are none. */
export function meanOf(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The unweighted mean of independent estimates; nothing if there are none, and without an interval if
 * one of them has none. The distances from each
 * value to the ends of its interval add up as squares do (Zou and Donner's MOVER, Statistics in
 * Medicine 27, 2008), so that a lopsided interval stays lopsided. Near a bound the distances to it are
 * too short together: to neither side it reaches less far than half the widths of the intervals do.
 *
 * @example
 * const estimates = [wilson(8, 10), wilson(45, 50)].flatMap((estimate) => estimate ?? []);
 * groupAverage(estimates);
 * // { value: 0.85, low: 0.684…, high: 0.949…, level: 0.95, method: 'combined' }
 */
export function groupAverage(estimates: readonly Estimate[]): Estimate | undefined;
export function groupAverage(estimates: readonly Measurement[]): Measurement | undefined;
export function groupAverage(measured: readonly Measurement[]): Measurement | undefined {
  const value = meanOf(measured.map((estimate) => estimate.value));
  const estimates = measured.filter(hasInterval);
  const [first] = estimates;
  if (value === undefined) return undefined;
  if (!first || estimates.length < measured.length) return { value, interval: 'too few' };
  const { level } = first;
  requireThat(
    estimates.every((estimate) => estimate.level === level),
    'Intervals of different levels cannot be combined',
  );
  const reach = (distanceOf: (estimate: Estimate) => number) =>
    Math.hypot(...estimates.map(distanceOf)) / estimates.length;
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
    low: Math.max(value - down, meanOf(estimates.map(({ low }) => low)) ?? 0),
    high: Math.min(value + up, meanOf(estimates.map(({ high }) => high)) ?? 0),
    level,
    method: 'combined',
  };
}
