import { requireLevel, requireThat } from './check.ts';
import { defaultLevel, type Estimate } from './estimate.ts';
import { findRoot } from './find-root.ts';
import type { DiscordantPairs } from './mcnemar.ts';
import { normalReach } from './normal.ts';

export interface PairedCounts extends DiscordantPairs {
  /** All pairs, also those where both sides are right, or both wrong. */
  readonly pairs: number;
}

/**
 * How much higher the rate of B is than that of A on the same rows, with Tango's score interval
 * (Statistics in Medicine 17, 1998); nothing if there are no pairs.
 *
 * @example
 * rateDifference({ onlyA: 16, onlyB: 6, pairs: 161 })
 * // { value: -0.062…, low: -0.124…, high: -0.005…, level: 0.95, method: 'score' }
 */
export function rateDifference(
  { onlyA, onlyB, pairs }: PairedCounts,
  level: number = defaultLevel,
): Estimate | undefined {
  requireLevel(level);
  requireThat(
    [onlyA, onlyB, pairs].every((count) => Number.isSafeInteger(count) && count >= 0) &&
      onlyA + onlyB <= pairs,
    `${onlyA} and ${onlyB} of ${pairs} are not discordant pairs`,
  );
  if (pairs === 0) return undefined;
  const value = (onlyB - onlyA) / pairs;
  const reach = normalReach(level);
  const score = (difference: number) => scoreOf({ onlyA, onlyB, pairs }, difference);
  return {
    value,
    low: findRoot((difference) => reach - score(difference), { from: -1, to: value }),
    high: findRoot((difference) => -reach - score(difference), { from: value, to: 1 }),
    level,
    method: 'score',
  };
}

/** How far the counts are from what a difference lets expect, in standard errors; it falls. */
function scoreOf({ onlyA, onlyB, pairs }: PairedCounts, difference: number): number {
  const distance = onlyB - onlyA - pairs * difference;
  const spread = difference * (1 - difference);
  // The rate of pairs that only A has right that fits the counts best, given the difference.
  const b = (2 * pairs - onlyB + onlyA) * difference - onlyB - onlyA;
  const rate = (Math.sqrt(b * b + 8 * pairs * onlyA * spread) - b) / (4 * pairs);
  const variance = pairs * (2 * rate + spread);
  return variance <= 0
    ? Math.sign(distance) * Number.POSITIVE_INFINITY
    : distance / Math.sqrt(variance);
}
