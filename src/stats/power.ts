import { requireLevel, requireThat } from './check.ts';
import { defaultLevel } from './estimate.ts';

/** What a comparison is planned for; by default a chance of 0.8 at the level 0.95. */
export interface PowerGoal {
  /** The wanted chance to find the difference. */
  readonly power?: number | undefined;
  /** One less the chance to find a difference where there is none. */
  readonly level?: number | undefined;
}

export function readGoal({ power = 0.8, level = defaultLevel }: PowerGoal) {
  requireLevel(level);
  requireThat(power > 0 && power < 1, `A power must be between 0 and 1, not ${power}`);
  return { power, level };
}

/** Whoever needs more pairs than this needs another question. */
const maxPairs = 10_000_000;

/** The fewest pairs with which the power is reached; nothing if they would be too many. */
export function fewestPairs(
  powerAt: (pairs: number) => number,
  wanted: number,
): number | undefined {
  let high = 2;
  while (powerAt(high) < wanted) {
    high *= 2;
    if (high > maxPairs) return undefined;
  }
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (powerAt(middle) < wanted) low = middle;
    else high = middle;
  }
  return high;
}

const halvings = 40;

/** The smallest effect up to a limit with which the power is reached; nothing if it never is. */
export function smallestEffect(
  powerAt: (effect: number) => number,
  { wanted, limit }: { readonly wanted: number; readonly limit: number },
): number | undefined {
  if (powerAt(limit) < wanted) return undefined;
  let low = 0;
  let high = limit;
  for (let step = 0; step < halvings; step += 1) {
    const middle = (low + high) / 2;
    if (powerAt(middle) < wanted) low = middle;
    else high = middle;
  }
  return high;
}
