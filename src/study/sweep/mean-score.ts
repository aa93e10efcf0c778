import { bootstrapMeanBca } from '../../stats/bca.ts';
import type { Estimate } from '../../stats/estimate.ts';
import { wilsonShare } from '../../stats/wilson.ts';

const seed = 0;

/** The mean of the scores of some rows with its interval; nothing if there are no rows. */
export function meanScore(scores: Float64Array): Estimate | undefined {
  const total = scores.reduce((sum, score) => sum + score, 0);
  const mean = total / scores.length;
  // Resampling scores that are all alike would find no uncertainty.
  const isAlike = scores.every((score) => score === scores[0]);
  if (isBinary(scores) || (isAlike && areShares(scores))) return wilsonShare(mean, scores.length);
  return bootstrapMeanBca(scores, { seed });
}

export function isBinary(scores: Float64Array): boolean {
  return scores.every((score) => score === 0 || score === 1);
}

export function areShares(scores: Float64Array): boolean {
  return scores.every((score) => score >= 0 && score <= 1);
}
