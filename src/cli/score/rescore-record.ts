import { formatValue, type Row } from '../../prompt/index.ts';
import type { RowRecord } from '../../run/row-log.ts';
import { type RowScore, type Scorer, splitAnswer } from '../../score/index.ts';

export interface RescoreInput {
  readonly scorer: Scorer;
  readonly row: Row;
  readonly gold: unknown;
}

/** The record with a new score for its answer. A row that failed has no answer, and stays. */
export function rescoreRecord(record: RowRecord, { scorer, row, gold }: RescoreInput): RowRecord {
  const { outcome, score: _, reason: __, extracted: ___, gold: ____, ...kept } = record;
  if (outcome === 'failed' || kept.answer === undefined) return record;
  const answer = splitAnswer(kept.answer, kept.reasoning);
  const score = scoreSafely(scorer, { answer, gold, row });
  const { id, key, prompt, ...rest } = kept;
  return {
    id,
    key,
    prompt,
    outcome: score.type,
    ...(score.type === 'scored'
      ? { score: score.value, extracted: score.extracted }
      : { reason: score.reason }),
    ...rest,
    ...(gold !== undefined && { gold: loggable(gold) }),
  };
}

function scoreSafely(scorer: Scorer, input: Parameters<Scorer['score']>[0]): RowScore {
  try {
    return scorer.score(input);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    return { type: 'unscored', reason: `the scorer failed: ${reason}` };
  }
}

/** What JSON has no form for is logged as the text that a prompt would show. */
function loggable(value: unknown): unknown {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? value
    : formatValue(value);
}
