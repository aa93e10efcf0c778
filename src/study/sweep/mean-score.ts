import { ClusterScoreTally } from '../../stats/cluster-tallies.ts';
import type { Measurement } from '../../stats/estimate.ts';
import { meanOfScores } from '../../stats/mean-estimate.ts';
import type { RowClusters } from '../compare/paired-test.ts';

/** Whether scores are numbers of their own kind, not shares. */
export interface NumberKind {
  readonly plain?: true | undefined;
}

/** What is known of scores beside themselves. */
export interface ScoredKind extends NumberKind {
  readonly clusters?: Pick<RowClusters, 'names'> | undefined;
}

/** The mean of the scores of some rows with its interval; nothing if there are no rows. */
export function meanScore(scores: Float64Array, kind: ScoredKind = {}): Measurement | undefined {
  const range = rangeOf(kind);
  if (!kind.clusters) return meanOfScores(scores, { range });
  const tally = new ClusterScoreTally(range);
  for (const [row, score] of scores.entries()) tally.add(score, kind.clusters.names[row] ?? '');
  return tally.estimate();
}

/** What scores can be: shares, or numbers of their own kind. */
export function rangeOf({ plain }: NumberKind): readonly [number, number] {
  return plain ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : [0, 1];
}

export function isBinary(scores: Float64Array): boolean {
  return scores.every((score) => score === 0 || score === 1);
}
