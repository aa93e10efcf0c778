import { requireThat } from './check.ts';

/**
 * Share of a standard normal distribution below a point. Marsaglia's Taylor series (Journal of
 * Statistical Software 11, 2004), good to 15 decimals for points within ±8.
 */
function normalShareBelow(point: number): number {
  let term = point;
  let sum = point;
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * 1e-17; odd += 2) {
    term *= (point * point) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-point * point) / 2)) / Math.sqrt(2 * Math.PI);
}

/** The point with the given share of a standard normal distribution within plus and minus it. */
export function normalReach(share: number): number {
  requireThat(share > 0 && share < 1 - 1e-12, `No normal interval holds a share of ${share}`);
  let low = 0;
  let high = 8;
  for (let step = 0; step < 56; step += 1) {
    const middle = (low + high) / 2;
    if (2 * normalShareBelow(middle) - 1 < share) low = middle;
    else high = middle;
  }
  return high;
}
