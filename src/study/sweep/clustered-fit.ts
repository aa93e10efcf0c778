import { clusterEnds, clusterReach } from '../../stats/cluster-ends.ts';
import { sumClusters } from '../../stats/cluster-sums.ts';
import { spreadOf } from '../../stats/clustered-mean.ts';
import { defaultLevel, type Measurement } from '../../stats/estimate.ts';
import type { RowClusters } from '../compare/paired-test.ts';
import { type NumberKind, rangeOf } from './mean-score.ts';

export interface FittedScores extends NumberKind {
  /** One for each candidate. */
  readonly scores: readonly Float64Array[];
  readonly clusters: Pick<RowClusters, 'names'>;
  /** How often each score was that of a candidate chosen. */
  readonly weights: readonly Float64Array[];
}

/** The score of chosen candidates by clusters: its interval is as wide as theirs, by how often each was chosen. */
export function clusteredFit(
  value: number,
  { scores, clusters, weights, plain }: FittedScores,
): Measurement | undefined {
  const range = rangeOf({ plain });
  const sums = scores.map((rows) => sumClusters(rows, { clusters: clusters.names, range }));
  const [first] = sums;
  if (!first) return undefined;
  if (first.count < 2) return { value, interval: 'too few' };
  const times = weights.map((own) => own.reduce((sum, weight) => sum + weight, 0));
  const all = times.reduce((sum, own) => sum + own, 0);
  const spreads = sums.map(spreadOf);
  const weigh = (partOf: (spread: ReturnType<typeof spreadOf>) => number) =>
    spreads.reduce((sum, spread, place) => sum + ((times[place] ?? 0) / all) * partOf(spread), 0);
  const level = defaultLevel;
  const [low, high] = clusterEnds(value, {
    variance: weigh(({ variance }) => variance),
    variancePerCluster: weigh(({ variancePerCluster }) => variancePerCluster),
    clusters: first.evenCount,
    range,
    reach: clusterReach(first.count, level),
  });
  return { value, low, high, level, method: 'clustered' };
}
