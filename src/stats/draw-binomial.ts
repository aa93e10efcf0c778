import type { Random } from '../base/keyed-random.ts';
import { logBinomialTerm } from './deviance.ts';

/** How many of so many independent trials succeed at a rate. */
export function drawBinomial(random: Random, trials: number, rate: number): number {
  if (trials <= 0 || rate <= 0) return 0;
  if (rate >= 1) return trials;
  if (rate > 0.5) return trials - drawBinomial(random, trials, 1 - rate);
  return trials * rate < 10
    ? drawByInversion(random, trials, rate)
    : drawByRejection(random, trials, rate);
}

function drawByInversion(random: Random, trials: number, rate: number): number {
  const odds = rate / (1 - rate);
  let left = random.next();
  let share = (1 - rate) ** trials;
  let drawn = 0;
  while (left > share && drawn < trials) {
    left -= share;
    drawn += 1;
    share *= (odds * (trials + 1)) / drawn - odds;
  }
  return drawn;
}

/** Hörmann's BTRS (Journal of Statistical Computation and Simulation 46, 1993). */
function drawByRejection(random: Random, trials: number, rate: number): number {
  const settings = { trials, rate };
  const deviation = Math.sqrt(trials * rate * (1 - rate));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * rate;
  const alpha = (2.83 + 5.1 / b) * deviation;
  const atMode = logBinomialTerm(Math.floor((trials + 1) * rate), settings);
  for (;;) {
    const u = random.next() - 0.5;
    const v = random.next();
    const reach = 0.5 - Math.abs(u);
    const drawn = Math.floor(((2 * a) / reach + b) * u + trials * rate + 0.5);
    if (drawn < 0 || drawn > trials) continue;
    if (reach >= 0.07 && v <= 0.92 - 4.2 / b) return drawn;
    const height = Math.log((v * alpha) / (a / (reach * reach) + b));
    if (height <= logBinomialTerm(drawn, settings) - atMode) return drawn;
  }
}
