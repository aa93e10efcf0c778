import type { Row } from '../../prompt/index.ts';
import type { RowCase } from '../../run/row-case.ts';
import type { RowRecord } from '../../run/row-log.ts';
import { scoredFields, scoreReply, scoreReplyLater } from '../../run/score-answer.ts';
import type { RowScore, Scorer } from '../../score/index.ts';

export interface RescoreInput {
  readonly scorer: Scorer;
  readonly row: Row;
  readonly gold: unknown;
  /** The row's parts, if it has several. */
  readonly whole?: RowCase | undefined;
  /** The line of a part. */
  readonly readPart: (key: string) => Promise<RowRecord | undefined>;
}

/** The record with a new score for its answer. A row that failed has no answer, and stays. */
export async function rescoreRecord(record: RowRecord, input: RescoreInput): Promise<RowRecord> {
  if (record.outcome === 'failed' || record.answer === undefined) return record;
  const { gold, whole } = input;
  if (!whole) return withScore(record, await rescore(record, input), gold);
  await rescoreParts(whole, record, input);
  const { score, text } = whole.combine();
  return withScore({ ...record, answer: text }, score, gold);
}

function withScore(record: RowRecord, score: RowScore, gold: unknown): RowRecord {
  const { scoring: _, ...kept } = record;
  return { ...kept, ...scoredFields(score, gold) };
}

async function rescoreParts(
  whole: RowCase,
  { id, parts = [] }: RowRecord,
  { scorer, readPart }: RescoreInput,
): Promise<void> {
  for (let ready = whole.takeReady(); ready.length > 0; ready = whole.takeReady()) {
    for (const { place, part } of ready) {
      const key = parts[place];
      const record = key === undefined ? undefined : await readPart(key);
      if (!record) throw new RangeError(`part ${part.name} of row ${id} is not in the log`);
      const score = await rescore(record, { scorer, row: part.row, gold: part.gold, readPart });
      whole.take(place, { ...part, text: record.answer ?? '', score }, { key: record.key });
    }
  }
}

function rescore(
  { answer: text = '', reasoning, label, weights, metrics }: RowRecord,
  { scorer, row, gold }: RescoreInput,
): RowScore | Promise<RowScore> {
  // What was measured from weights alone is not measured again.
  const measures = weights && label === undefined ? metrics : undefined;
  const judged = { reply: { text, reasoning, label, measures, weights }, gold, row };
  return scorer.scoreLater
    ? scoreReplyLater(scorer.scoreLater, judged, new AbortController().signal)
    : scoreReply(scorer, judged);
}
