import type { Evaluation } from '../evaluation/evaluation.ts';
import type { Tally } from './summarize.ts';
import type { TaskResult } from './summary.ts';

/** What a summary says of draws and lengths. */
export function shapeFacts(
  { shape: { seed, estimatesLengths } }: Pick<Evaluation, 'shape'>,
  { fit }: Tally,
): Pick<TaskResult, 'seed' | 'dropped' | 'tooLong' | 'estimatedLengths'> {
  const isEstimated = estimatesLengths && (fit.dropped ?? fit.tooLong) !== undefined;
  return {
    ...(seed !== undefined && { seed }),
    ...fit,
    ...(isEstimated && { estimatedLengths: true }),
  };
}
