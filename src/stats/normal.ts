import { requireThat } from './check.ts';

/** Density of the standard normal distribution. */
export function normalDensity(point: number): number {
  return Math.exp((-point * point) / 2) / Math.sqrt(2 * Math.PI);
}

/**
 * Share of a standard normal distribution above a point, to full relative precision.
 *
 * @example
 * normalShareAbove(1.96); // 0.024…
 */
export function normalShareAbove(point: number): number {
  if (point < 0) return 1 - normalShareAbove(-point);
  return point < 2.5 ? 0.5 - normalShareNear(point) : normalTail(point);
}

/**
 * Share of a standard normal distribution between 0 and a point near it. Marsaglia's Taylor series
 * (Journal of Statistical Software 11, 2004).
 */
function normalShareNear(point: number): number {
  let term = point;
  let sum = point;
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * 1e-17; odd += 2) {
    term *= (point * point) / odd;
    sum += term;
  }
  return sum * normalDensity(point);
}

const tailTerms = 150;

/** Laplace's continued fraction. */
function normalTail(point: number): number {
  let fraction = point;
  for (let term = tailTerms; term > 0; term -= 1) fraction = point + term / fraction;
  return normalDensity(point) / fraction;
}

/**
 * The point with the given share of a standard normal distribution below it.
 *
 * @example
 * normalQuantile(0.975); // 1.959…
 */
export function normalQuantile(share: number): number {
  requireThat(share > 0 && share < 1, `No normal quantile has a share of ${share} below it`);
  return share > 0.5 ? pointAbove(1 - share) : 0 - pointAbove(share);
}

/** The point with the given share within plus and minus it. */
export function normalReach(share: number): number {
  requireThat(share > 0 && share < 1, `No normal interval holds a share of ${share}`);
  return pointAbove((1 - share) / 2);
}

/** Newton's method on the logarithm of the tail, which is concave: from above it cannot run away. */
function pointAbove(share: number): number {
  let point = Math.sqrt(-2 * Math.log(2 * share));
  for (let step = 0; step < 60; step += 1) {
    const above = normalShareAbove(point);
    const change = Math.log(above / share) * (above / normalDensity(point));
    point += change;
    if (Math.abs(change) <= 1e-15 * Math.max(1, point)) break;
  }
  return point;
}
