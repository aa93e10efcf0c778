import { Float, formatValue, type Row } from '../prompt/index.ts';
import { type RowScore, type Scorer, splitAnswer } from '../score/index.ts';
import type { RowRecord } from './row-log.ts';

export interface AnswerInput {
  readonly text: string;
  readonly reasoning?: string | undefined;
  readonly gold: unknown;
  readonly row: Row;
}

export type ScoredPart = Pick<RowRecord, 'outcome' | 'score' | 'extracted' | 'reason' | 'gold'>;

/** What a record says of an answer's score. A scorer that fails leaves the row unscored. */
export function scoreAnswer(
  scorer: Scorer,
  { text, reasoning, gold, row }: AnswerInput,
): ScoredPart {
  const score = scoreSafely(scorer, { answer: splitAnswer(text, reasoning), gold, row });
  const isScored = score.type === 'scored';
  return {
    outcome: score.type,
    score: isScored ? score.value : undefined,
    extracted: isScored ? score.extracted : undefined,
    reason: isScored ? undefined : score.reason,
    gold: toJson(gold),
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
function toJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJson);
  return typeof value === 'bigint' || value instanceof Float || value instanceof Map
    ? formatValue(value)
    : value;
}
