import type { Evaluation, RowPlan } from './evaluation.ts';
import { abilityFor } from './inference.ts';
import { scoringHash } from './key.ts';

/**
 * Hash of all that a row's score depends on beside the answer. Loglikelihoods are read by where
 * answers begin, which is no part of what is asked.
 */
export function scoringOf(
  { task, scorerIdentity }: Pick<Evaluation, 'task' | 'scorerIdentity'>,
  { row, promptHash }: Pick<RowPlan, 'row' | 'promptHash'>,
  gold: unknown,
): string {
  const reading = abilityFor(task.inferencer) === 'generate' ? '' : promptHash;
  return scoringHash(scorerIdentity + reading, gold, row);
}
