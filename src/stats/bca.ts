import { type BootstrapOptions, largestResample, quantile, resampleShifts } from './bootstrap.ts';
import { requireLevel, requireThat } from './check.ts';
import { defaultLevel, type Estimate } from './estimate.ts';
import { normalQuantile, normalReach, normalShareAbove } from './normal.ts';
import { ValueCounts } from './value-counts.ts';

/**
 * The mean of some values with a bootstrap interval that corrects for bias and skewness (BCa; Efron,
 * Journal of the American Statistical Association 82, 1987); nothing if there are no values. For a
 * paired comparison the values are the differences of the pairs.
 *
 * @example
 * bootstrapMeanBca([0.2, 0.9, 0.4, 1, 0.7], { seed: 1 });
 * // { value: 0.64, low: 0.38, high: 0.9, level: 0.95, method: 'bca' }
 */
export function bootstrapMeanBca(
  values: Iterable<number>,
  { seed, resamples = 2000, level = defaultLevel }: BootstrapOptions,
): Estimate | undefined {
  requireLevel(level);
  requireThat(Number.isSafeInteger(resamples) && resamples > 0, `${resamples} is not a count`);
  const counts = new ValueCounts();
  for (const value of values) {
    requireThat(Number.isFinite(value), `${value} is not a score`);
    counts.add(value);
  }
  if (counts.size === 0) return undefined;
  const { mean: value } = counts;
  const shifts = resampleShifts(counts, { seed, resamples });
  const [low, high] = bcaShares({
    bias: biasOf(shifts) * Math.sqrt(Math.min(1, largestResample / counts.size)),
    acceleration: accelerationOf(counts),
    level,
  });
  return {
    value,
    low: Math.min(value, value + quantile(shifts, low)),
    high: Math.max(value, value + quantile(shifts, high)),
    level,
    method: 'bca',
  };
}

/** How far the median of the resamples is from the estimate, in standard errors. */
function biasOf(shifts: Float64Array): number {
  let below = 0;
  for (const shift of shifts) below += shift < 0 ? 1 : shift === 0 ? 0.5 : 0;
  const edge = 0.5 / shifts.length;
  return normalQuantile(Math.min(1 - edge, Math.max(edge, below / shifts.length)));
}

/** A sixth of the skewness of the mean: what the jackknife finds. */
function accelerationOf(counts: ValueCounts): number {
  let squares = 0;
  let cubes = 0;
  for (const [value, count] of counts.entries()) {
    const distance = value - counts.mean;
    squares += count * distance ** 2;
    cubes += count * distance ** 3;
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

export interface BcaSettings {
  readonly bias: number;
  readonly acceleration: number;
  readonly level: number;
}

/** The shares of the resamples that lie below the two ends of the interval. */
export function bcaShares({ bias, acceleration, level }: BcaSettings): [low: number, high: number] {
  const reach = normalReach(level);
  const shareAt = (point: number) => {
    const moved = bias + point;
    return normalShareAbove(-(bias + moved / (1 - acceleration * moved)));
  };
  return [shareAt(-reach), shareAt(reach)];
}
