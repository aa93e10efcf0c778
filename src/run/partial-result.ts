import { ofRowsReached } from '../stats/estimate.ts';
import type { TaskResult } from './summary.ts';

type Scores = Pick<TaskResult, 'score' | 'allRows' | 'metrics'>;

/** Scores of the rows reached, which are no random part of all: nothing is known of the others. */
export function partialScores<Found extends Scores>(found: Found): Found & { partial: true } {
  const { score, allRows, metrics } = found;
  return {
    ...found,
    ...(score && { score: ofRowsReached(score) }),
    ...(allRows && { allRows: ofRowsReached(allRows) }),
    ...(metrics && {
      metrics: metrics.map((metric) => ({
        ...metric,
        score: ofRowsReached(metric.score),
        ...(metric.allRows && { allRows: ofRowsReached(metric.allRows) }),
      })),
    }),
    partial: true,
  };
}
