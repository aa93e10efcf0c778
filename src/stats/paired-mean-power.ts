import { boundedEnds } from './bounded-mean.ts';
import { requireLevel, requireThat } from './check.ts';
import { logPoissonTerm } from './deviance.ts';
import { studentQuantile } from './distributions.ts';
import { defaultLevel } from './estimate.ts';
import { normalShareAbove } from './normal.ts';
import { fewestPairs, type PowerGoal, readGoal, smallestEffect } from './power.ts';

/** The mean of paired differences, and their standard deviation. */
export interface PairedEffect {
  readonly difference: number;
  readonly deviation: number;
  /** How far from the mean the interval allows for one more pair: a find must outweigh it. */
  readonly room?: number | undefined;
}

/**
 * The chance that a two-sided paired t test finds a difference with this many pairs, and with `room`
 * that the interval which allows for one more pair also excludes 0.
 *
 * @example
 * pairedMeanPower({ difference: 0.05, deviation: 0.3 }, { pairs: 200 }); // 0.650…
 */
export function pairedMeanPower(
  { difference, deviation, room = 0 }: PairedEffect,
  { pairs, level = defaultLevel }: { readonly pairs: number; readonly level?: number | undefined },
): number {
  requireLevel(level);
  requireThat(deviation > 0, `Differences with a deviation of ${deviation} need no test`);
  requireThat(pairs >= 2, `${pairs} is not a number of pairs to test with`);
  const degrees = pairs - 1;
  const edge = Math.max(
    studentQuantile((1 + level) / 2, degrees),
    room > 0 ? reachWithRoom({ pairs, room: room / deviation, level }) : 0,
  );
  const shift = (Math.abs(difference) / deviation) * Math.sqrt(pairs);
  return meanOverDeviations(
    degrees,
    (ratio) => normalShareAbove(edge * ratio - shift) + normalShareAbove(edge * ratio + shift),
  );
}

/**
 * How many standard errors the interval reaches from the mean where one more pair may be so many
 * deviations out, of pairs that lie one deviation to either side.
 */
function reachWithRoom({ pairs, room, level }: Reach): number {
  const furthest = Math.max(1, room);
  const sides = [-1, 1].map((side) => [side, pairs / 2] as const);
  const { high } = boundedEnds(sides, { range: [-furthest, furthest], level });
  return high * Math.sqrt(pairs);
}

interface Reach {
  readonly pairs: number;
  /** In deviations. */
  readonly room: number;
  readonly level: number;
}

/**
 * The fewest pairs with which a paired t test finds a difference with the given power.
 *
 * @example
 * pairedMeanPairs({ difference: 0.05, deviation: 0.3 }); // 285
 */
export function pairedMeanPairs(effect: PairedEffect, goal: PowerGoal = {}): number | undefined {
  const { power, level } = readGoal(goal);
  if (effect.difference === 0) return undefined;
  return fewestPairs((pairs) => pairedMeanPower(effect, { pairs, level }), power);
}

/**
 * The smallest mean difference that a paired t test finds with the given power.
 *
 * @example
 * pairedMeanDetectable({ pairs: 200, deviation: 0.3 }); // 0.059…
 */
export function pairedMeanDetectable(
  { pairs, deviation, room }: Omit<PairedEffect, 'difference'> & { readonly pairs: number },
  goal: PowerGoal = {},
): number | undefined {
  const { power: wanted, level } = readGoal(goal);
  const powerAt = (difference: number) =>
    pairedMeanPower({ difference, deviation, room }, { pairs, level });
  return smallestEffect(powerAt, { wanted, limit: 100 * deviation });
}

const steps = 400;

/**
 * The mean of a function of s / σ, the ratio of a sample's standard deviation to the true one, which
 * is distributed as √(χ² / degrees). Midpoints of small steps: the density is smooth.
 */
function meanOverDeviations(degrees: number, valueAt: (ratio: number) => number): number {
  const spread = 10 / Math.sqrt(2 * degrees);
  const from = Math.max(0, 1 - spread);
  const width = (1 + spread - from) / steps;
  let sum = 0;
  let weights = 0;
  for (let step = 0; step < steps; step += 1) {
    const ratio = from + (step + 0.5) * width;
    // Density of χ² / 2 at degrees · ratio² / 2, up to a constant, times the change of variable.
    const weight = Math.exp(logPoissonTerm(degrees / 2, (degrees * ratio ** 2) / 2)) / ratio;
    sum += weight * valueAt(ratio);
    weights += weight;
  }
  return sum / weights;
}
