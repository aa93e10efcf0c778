import { requireLevel, requireThat } from './check.ts';
import { type BinomialSettings, binomialChance, binomialShareUpTo } from './distributions.ts';
import { defaultLevel } from './estimate.ts';
import { normalReach } from './normal.ts';
import { fewestPairs, type PowerGoal, readGoal, smallestEffect } from './power.ts';

/** Shares of all pairs that are right on one side only. */
export interface DiscordantRates {
  readonly onlyA: number;
  readonly onlyB: number;
}

/**
 * The chance that the exact McNemar test finds a difference with this many pairs.
 *
 * @example
 * mcnemarPower({ onlyA: 0.05, onlyB: 0.1 }, { pairs: 500 }); // 0.802…
 */
export function mcnemarPower(
  rates: DiscordantRates,
  { pairs, level = defaultLevel }: { readonly pairs: number; readonly level?: number | undefined },
): number {
  requireLevel(level);
  const { onlyA, onlyB } = rates;
  const rate = onlyA + onlyB;
  requireThat(
    onlyA >= 0 && onlyB >= 0 && rate <= 1,
    `${onlyA} and ${onlyB} are not rates of pairs`,
  );
  const share = rate === 0 ? 0.5 : onlyB / rate;
  let power = 0;
  let weights = 0;
  for (const discordant of likelyCounts({ trials: pairs, rate })) {
    const weight = binomialChance(discordant, { trials: pairs, rate });
    const edge = criticalCount(discordant, 1 - level);
    const found =
      binomialShareUpTo(edge, { trials: discordant, rate: share }) +
      binomialShareUpTo(edge, { trials: discordant, rate: 1 - share });
    power += weight * found;
    weights += weight;
  }
  return power / weights;
}

/**
 * The fewest pairs with which the exact McNemar test finds a difference with the given power.
 *
 * @example
 * mcnemarPairs({ onlyA: 0.05, onlyB: 0.1 }); // 498
 */
export function mcnemarPairs(rates: DiscordantRates, goal: PowerGoal = {}): number | undefined {
  const { power, level } = readGoal(goal);
  if (rates.onlyA === rates.onlyB) return undefined;
  return fewestPairs((pairs) => mcnemarPower(rates, { pairs, level }), power);
}

/**
 * The smallest difference of rates that the exact McNemar test finds with the given power, if the
 * given share of the pairs is right on one side only; nothing if even the largest is not found.
 *
 * @example
 * mcnemarDetectable({ pairs: 500, discordant: 0.2 }); // 0.057…
 */
export function mcnemarDetectable(
  { pairs, discordant }: { readonly pairs: number; readonly discordant: number },
  goal: PowerGoal = {},
): number | undefined {
  const { power: wanted, level } = readGoal(goal);
  const powerAt = (difference: number) => {
    const onlyA = (discordant - difference) / 2;
    return mcnemarPower({ onlyA, onlyB: discordant - onlyA }, { pairs, level });
  };
  return smallestEffect(powerAt, { wanted, limit: discordant });
}

const maxCounts = 400;

/** The counts that are likely enough to matter; of very many every so-and-so-manyth. */
function* likelyCounts({ trials, rate }: BinomialSettings): Generator<number> {
  const deviation = Math.sqrt(trials * rate * (1 - rate));
  const from = Math.max(0, Math.floor(trials * rate - 8 * deviation));
  const to = Math.min(trials, Math.ceil(trials * rate + 8 * deviation));
  const stride = Math.max(1, Math.ceil((to - from) / maxCounts));
  for (let count = from; count <= to; count += stride) yield count;
}

/** The most pairs of the rarer kind with which the exact test is significant; -1 if none are. */
function criticalCount(trials: number, significance: number): number {
  const isSignificant = (count: number) =>
    2 * binomialShareUpTo(count, { trials, rate: 0.5 }) <= significance;
  const guess = Math.floor((trials - normalReach(1 - significance) * Math.sqrt(trials)) / 2);
  let count = Math.max(-1, guess);
  while (count >= 0 && !isSignificant(count)) count -= 1;
  while (isSignificant(count + 1)) count += 1;
  return count;
}
