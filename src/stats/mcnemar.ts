import { requireThat } from './check.ts';
import { binomialChance, binomialShareUpTo, chiSquareShareAbove } from './distributions.ts';

/** Pairs that are right on one side only. */
export interface DiscordantPairs {
  readonly onlyA: number;
  readonly onlyB: number;
}

/** Two-sided p values of McNemar's test. */
export interface McnemarResult {
  /** Exact given the number of discordant pairs; never too small, often too large. */
  readonly exact: number;
  /** Half as much weight on the outcome seen: nearer the level, still at most seldom above it. */
  readonly midP: number;
  /** Chi-square with continuity correction. */
  readonly asymptotic: number;
}

/**
 * Tests whether two rates on the same rows differ. The mid-p value is that of Fagerland, Lydersen and
 * Laake (BMC Medical Research Methodology 13:91, 2013).
 *
 * @example
 * mcnemar({ onlyA: 1, onlyB: 7 }) // { exact: 0.0703…, midP: 0.0390…, asymptotic: 0.0770… }
 */
export function mcnemar({ onlyA, onlyB }: DiscordantPairs): McnemarResult {
  for (const count of [onlyA, onlyB]) {
    requireThat(Number.isSafeInteger(count) && count >= 0, `${count} is not a number of pairs`);
  }
  const trials = onlyA + onlyB;
  if (trials === 0) return { exact: 1, midP: 1, asymptotic: 1 };
  const fewer = Math.min(onlyA, onlyB);
  const coin = { trials, rate: 0.5 };
  const chance = binomialChance(fewer, coin);
  const distance = Math.max(0, Math.abs(onlyA - onlyB) - 1);
  const asymptotic = chiSquareShareAbove(distance ** 2 / trials, 1);
  if (onlyA === onlyB) return { exact: 1, midP: 1 - chance / 2, asymptotic };
  const exact = Math.min(1, 2 * binomialShareUpTo(fewer, coin));
  return { exact, midP: exact - chance, asymptotic };
}
