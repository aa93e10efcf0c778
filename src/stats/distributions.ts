import { requireThat } from './check.ts';
import { logBinomialTerm, logPoissonTerm } from './deviance.ts';
import { findRoot } from './find-root.ts';
import { normalShareAbove } from './normal.ts';

const smallest = 1e-300;
const precision = 1e-15;
const maxTerms = 1_000_000;

/** Binomial counts: how often something happens in so many trials, at a rate. */
export interface BinomialSettings {
  readonly trials: number;
  readonly rate: number;
}

/**
 * The chance of exactly this many successes.
 *
 * @example
 * binomialChance(2, { trials: 4, rate: 0.5 }); // 0.375
 */
export function binomialChance(successes: number, { trials, rate }: BinomialSettings): number {
  checkBinomial(trials, rate);
  if (!Number.isInteger(successes) || successes < 0 || successes > trials) return 0;
  return Math.exp(logBinomialTerm(successes, { trials, rate }));
}

/**
 * The chance of at most this many successes.
 *
 * @example
 * binomialShareUpTo(1, { trials: 4, rate: 0.5 }); // 0.3125
 */
export function binomialShareUpTo(successes: number, { trials, rate }: BinomialSettings): number {
  checkBinomial(trials, rate);
  if (successes < 0) return 0;
  if (successes >= trials) return 1;
  const whole = Math.floor(successes);
  return betaShareBelow(1 - rate, { a: trials - whole, b: whole + 1 });
}

function checkBinomial(trials: number, rate: number): void {
  requireThat(Number.isSafeInteger(trials) && trials >= 0, `${trials} is not a number of trials`);
  requireThat(rate >= 0 && rate <= 1, `${rate} is not a rate`);
}

interface BetaShape {
  readonly a: number;
  readonly b: number;
}

/** Share of a beta distribution below a point: the regularised incomplete beta function. */
function betaShareBelow(point: number, { a, b }: BetaShape): number {
  if (point <= 0) return 0;
  if (point >= 1) return 1;
  // The fraction converges fast on the side of the mean that the point is on.
  if (point > (a + 1) / (a + b + 2)) return 1 - betaShareBelow(1 - point, { a: b, b: a });
  const factor = (b / (a + b)) * Math.exp(logBinomialTerm(a, { trials: a + b, rate: point }));
  return factor * betaFraction(point, { a, b });
}

/** Lentz's evaluation of the continued fraction. */
function betaFraction(point: number, { a, b }: BetaShape): number {
  let c = 1;
  let d = 1 / atLeast(1 - ((a + b) * point) / (a + 1));
  let value = d;
  for (let m = 1; m < maxTerms; m += 1) {
    const even = (m * (b - m) * point) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / atLeast(1 + even * d);
    c = atLeast(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * point) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / atLeast(1 + odd * d);
    c = atLeast(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return value;
}

function atLeast(value: number): number {
  return Math.abs(value) < smallest ? smallest : value;
}

/**
 * Share of a chi-square distribution above a value.
 *
 * @example
 * chiSquareShareAbove(3.84, 1); // 0.050…
 */
export function chiSquareShareAbove(value: number, degrees: number): number {
  requireThat(degrees > 0, `${degrees} is not a number of degrees of freedom`);
  if (value <= 0) return 1;
  if (degrees === 1) return 2 * normalShareAbove(Math.sqrt(value));
  const shape = degrees / 2;
  const point = value / 2;
  const factor = Math.exp(logPoissonTerm(shape, point));
  return point < shape + 1
    ? 1 - factor * gammaSeries(point, shape)
    : factor * shape * gammaFraction(point, shape);
}

function gammaSeries(point: number, shape: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 1; term > sum * precision; n += 1) {
    term *= point / (shape + n);
    sum += term;
  }
  return sum;
}

function gammaFraction(point: number, shape: number): number {
  let b = point + 1 - shape;
  let c = 1 / smallest;
  let d = 1 / b;
  let value = d;
  for (let n = 1; n < maxTerms; n += 1) {
    const a = -n * (n - shape);
    b += 2;
    d = 1 / atLeast(a * d + b);
    c = atLeast(b + a / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return value;
}

/**
 * Share of Student's t distribution above a value.
 *
 * @example
 * studentShareAbove(2.23, 10); // 0.024…
 */
export function studentShareAbove(value: number, degrees: number): number {
  requireThat(degrees > 0, `${degrees} is not a number of degrees of freedom`);
  if (value < 0) return 1 - studentShareAbove(-value, degrees);
  return betaShareBelow(degrees / (degrees + value * value), { a: degrees / 2, b: 0.5 }) / 2;
}

/**
 * The point with the given share of Student's t distribution below it.
 *
 * @example
 * studentQuantile(0.975, 10); // 2.228…
 */
export function studentQuantile(share: number, degrees: number): number {
  requireThat(share > 0 && share < 1, `No t quantile has a share of ${share} below it`);
  if (share < 0.5) return 0 - studentQuantile(1 - share, degrees);
  const above = 1 - share;
  let high = 1;
  while (studentShareAbove(high, degrees) > above) high *= 2;
  return findRoot((point) => above - studentShareAbove(point, degrees), { from: 0, to: high });
}
