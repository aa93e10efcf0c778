import type { Row } from '../../prompt/index.ts';
import type { RowRecord } from '../../run/row-log.ts';
import { scoreAnswer } from '../../run/score-answer.ts';
import type { Scorer } from '../../score/index.ts';

export interface RescoreInput {
  readonly scorer: Scorer;
  readonly row: Row;
  readonly gold: unknown;
}

/** The record with a new score for its answer. A row that failed has no answer, and stays. */
export function rescoreRecord(record: RowRecord, { scorer, row, gold }: RescoreInput): RowRecord {
  const {
    outcome,
    score: _,
    reason: __,
    extracted: ___,
    gold: ____,
    scoring: _____,
    ...kept
  } = record;
  if (outcome === 'failed' || kept.answer === undefined) return record;
  const { answer: text, reasoning } = kept;
  const { id, key, prompt, ...rest } = kept;
  return { id, key, prompt, ...scoreAnswer(scorer, { text, reasoning, gold, row }), ...rest };
}
