import { requireThat } from './check.ts';
import { defaultLevel, type Estimate } from './estimate.ts';
import { normalReach } from './normal.ts';

/**
 * A rate with Wilson's score interval (Journal of the American Statistical Association 22, 1927);
 * nothing if there is nothing to count.
 *
 * @example
 * wilson(8, 10) // { value: 0.8, low: 0.490…, high: 0.943…, level: 0.95, method: 'wilson' }
 */
export function wilson(
  successes: number,
  count: number,
  level: number = defaultLevel,
): Estimate | undefined {
  const areCounts = Number.isSafeInteger(successes) && Number.isSafeInteger(count);
  requireThat(
    areCounts && successes >= 0 && successes <= count,
    `${successes} of ${count} is not a rate`,
  );
  return wilsonShare(successes / count, count, level);
}

/**
 * The same for a share that need not be a number of successes, such as a mean of rates. For scores
 * from 0 to 1 the interval is wide enough, whatever their spread.
 *
 * @example
 * wilsonShare(0.75, 10);
 * // { value: 0.75, low: 0.442…, high: 0.919…, level: 0.95, method: 'wilson' }
 */
export function wilsonShare(
  value: number,
  count: number,
  level: number = defaultLevel,
): Estimate | undefined {
  if (count === 0) return undefined;
  requireThat(value >= 0 && value <= 1, `${value} is not a share`);
  const [low, high] = wilsonEnds(value, count, normalReach(level));
  return { value, low, high, level, method: 'wilson' };
}

/** The shares that a share of so many rows is not further from than `reach` standard errors. */
export function wilsonEnds(
  value: number,
  count: number,
  reach: number,
): [low: number, high: number] {
  const spread = reach ** 2 / count;
  const middle = (value + spread / 2) / (1 + spread);
  const half = (reach / (1 + spread)) * Math.sqrt((value * (1 - value) + spread / 4) / count);
  // The ends are exact where they meet the value; rounding would leave a trace.
  return [value === 0 ? 0 : middle - half, value === 1 ? 1 : middle + half];
}
