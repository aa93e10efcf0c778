import type { Evaluation, RowPlan } from '../../evaluation/evaluation.ts';
import type { CompositeInference, RowRequest, ScoredPart } from '../../evaluation/inference.ts';
import type { Row } from '../../prompt/values.ts';
import { recordedReply } from '../../run/make-record.ts';
import { RowCase } from '../../run/row-case.ts';
import {
  type Reply,
  scoredFields,
  scoreReply,
  scoreReplyLater,
  toJson,
} from '../../run/score-answer.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import type { RowScore, Scorer } from '../../score/scorer.ts';

export interface RescoreInput {
  readonly scorer: Scorer;
  readonly row: Row;
  readonly gold: unknown;
  /** What the row is asked; left out where nothing but the record is known. */
  readonly asked?: { readonly evaluation: Evaluation; readonly plan: RowPlan } | undefined;
  /** How a row of several parts is scored where nothing but the record is known. */
  readonly combine?: CompositeInference['combine'] | undefined;
  /** The line of a part. */
  readonly readPart: (key: string) => Promise<RowRecord | undefined>;
}

/**
 * The record with a new score for its answer; nothing if a part of the answer is not in the log any
 * more. A row that failed has no answer, and stays.
 */
export async function rescoreRecord(
  record: RowRecord,
  input: RescoreInput,
): Promise<RowRecord | undefined> {
  if (record.outcome === 'failed' || record.answer === undefined) return record;
  const { gold, asked } = input;
  if (!record.parts) {
    const { row, scorer } = input;
    const request = asked?.plan.requests[0]?.asked;
    const { reply, score } = await rescore(record, { scorer, row, gold, request });
    const { text: answer, label, ties, loglikelihoods } = reply;
    return withScore(
      { ...record, answer, label: toJson(label), ties, loglikelihoods },
      score,
      gold,
    );
  }
  const whole =
    asked?.evaluation.type === 'composite'
      ? await rescoreCase(new RowCase(asked.evaluation, asked.plan), record, input)
      : await rescoreParts(record, input);
  if (!whole) return undefined;
  const { score, text } = whole;
  return withScore({ ...record, answer: text }, score, gold);
}

function withScore(record: RowRecord, score: RowScore, gold: unknown): RowRecord {
  const { scoring: _, ...kept } = record;
  return { ...kept, ...scoredFields(score, gold, record.finish) };
}

async function rescoreCase(
  whole: RowCase,
  { parts = [] }: RowRecord,
  { scorer, readPart }: RescoreInput,
): Promise<ReturnType<RowCase['combine']> | undefined> {
  for (let ready = whole.takeReady(); ready.length > 0; ready = whole.takeReady()) {
    for (const { index, planned } of ready) {
      const key = parts[index];
      const record = key === undefined ? undefined : await readPart(key);
      if (!record) return undefined;
      const { row, gold, asked: request } = planned;
      const { reply, score } = await rescore(record, { scorer, row, gold, request });
      await whole.take(index, { text: reply.text, score, key: record.key });
    }
  }
  return whole.combine();
}

/** The same from the lines of the parts alone. */
async function rescoreParts(
  { id, parts: keys = [] }: RowRecord,
  { scorer, combine, readPart }: RescoreInput,
): Promise<ReturnType<RowCase['combine']> | undefined> {
  if (!combine) return undefined;
  const parts: ScoredPart[] = [];
  for (const [index, key] of keys.entries()) {
    const record = await readPart(key);
    if (!record) return undefined;
    const { reply, score } = await rescore(record, { scorer, row: {}, gold: record.gold });
    parts.push({ name: Number(record.part ?? index + 1), text: reply.text, score });
  }
  return combine(parts, { id });
}

interface AnswerInput extends Pick<RescoreInput, 'scorer' | 'row' | 'gold'> {
  /** What the answer is an answer to, where that is known. */
  readonly request?: RowRequest | undefined;
}

async function rescore(
  record: RowRecord,
  { scorer, row, gold, request }: AnswerInput,
): Promise<{ readonly reply: Reply; readonly score: RowScore }> {
  const reply = recordedReply(record, request);
  const judged = { reply, gold, row };
  const score = scorer.scoreLater
    ? await scoreReplyLater(scorer.scoreLater, judged, new AbortController().signal)
    : scoreReply(scorer, judged);
  return { reply, score };
}
