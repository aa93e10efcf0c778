/**
 * Parts of probabilities that stay exact where factorials and powers would overflow or cancel: the
 * saddle-point form of C. Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000).
 */

const seriesFrom = 16;

/** What Stirling's formula lacks: ln Γ(z + 1) − ((z + ½) ln z − z + ½ ln 2π). */
function stirlingError(z: number): number {
  if (z < seriesFrom) return stirlingError(z + 1) + (z + 0.5) * Math.log1p(1 / z) - 1;
  const square = z * z;
  const last = 1 / 1680 - 1 / 1188 / square;
  return (1 / 12 - (1 / 360 - (1 / 1260 - last / square) / square) / square) / z;
}

/** x ln(x / mean) + mean − x, also where x is near the mean. */
function deviance(x: number, mean: number): number {
  const offset = (x - mean) / (x + mean);
  if (Math.abs(offset) > 0.1) return x * Math.log(x / mean) + mean - x;
  let term = 2 * x * offset;
  let sum = (x - mean) * offset;
  for (let odd = 3; ; odd += 2) {
    term *= offset * offset;
    const next = sum + term / odd;
    if (next === sum) return sum;
    sum = next;
  }
}

/** ln of Γ(n + 1) / (Γ(x + 1) Γ(n − x + 1)) · rateˣ · (1 − rate)ⁿ⁻ˣ, for any real 0 ≤ x ≤ n. */
export function logBinomialTerm(
  x: number,
  { trials: n, rate }: { readonly trials: number; readonly rate: number },
): number {
  if (x === 0) return n === 0 ? 0 : n * Math.log1p(-rate);
  if (x === n) return n * Math.log(rate);
  const errors = stirlingError(n) - stirlingError(x) - stirlingError(n - x);
  const deviances = deviance(x, n * rate) + deviance(n - x, n * (1 - rate));
  return errors - deviances + 0.5 * Math.log(n / (2 * Math.PI * x * (n - x)));
}

/** ln of meanˣ · e⁻ᵐᵉᵃⁿ / Γ(x + 1), for any real x > 0. */
export function logPoissonTerm(x: number, mean: number): number {
  return -stirlingError(x) - deviance(x, mean) - 0.5 * Math.log(2 * Math.PI * x);
}
