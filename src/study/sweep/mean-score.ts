import type { Measurement } from '../../stats/estimate.ts';
import { meanOfScores } from '../../stats/mean-estimate.ts';

/** Whether scores are numbers of their own kind, not shares. */
export interface NumberKind {
  readonly plain?: true | undefined;
}

/** The mean of the scores of some rows with its interval; nothing if there are no rows. */
export function meanScore(scores: Float64Array, kind: NumberKind = {}): Measurement | undefined {
  return meanOfScores(scores, { range: rangeOf(kind) });
}

/** What scores can be: shares, or numbers of their own kind. */
export function rangeOf({ plain }: NumberKind): readonly [number, number] {
  return plain ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : [0, 1];
}

export function isBinary(scores: Float64Array): boolean {
  return scores.every((score) => score === 0 || score === 1);
}
