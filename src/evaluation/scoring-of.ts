import type { Evaluation, RowPlan } from './evaluation.ts';
import { abilityFor } from './inference.ts';
import { rowHash, scoringHash } from './key.ts';

/** Hash of all that a row's score depends on beside the answer. */
export function scoringOf(
  { task, scorerIdentity, seenOf }: Pick<Evaluation, 'task' | 'scorerIdentity' | 'seenOf'>,
  { row, promptHash }: Pick<RowPlan, 'row' | 'promptHash'>,
  gold: unknown,
): string {
  const scoring = { inferencer: task.inferencer, scorerIdentity, gold };
  const seen = seenOf?.(row) ?? '';
  return scoringOfRecord({ row: rowHash(row) + seen, prompt: promptHash }, scoring);
}

/** The same by what the log says of a row. */
export function scoringOfRecord(
  { row, prompt }: { readonly row: string; readonly prompt: string },
  scoring: {
    readonly inferencer: string | undefined;
    readonly scorerIdentity: string;
    readonly gold: unknown;
  },
): string {
  const { inferencer, scorerIdentity, gold } = scoring;
  // Loglikelihoods are read by where answers begin, which is no part of what is asked.
  const isRead = inferencer !== undefined && abilityFor(inferencer) !== 'generate';
  return scoringHash(scorerIdentity + (isRead ? prompt : ''), gold, row);
}
