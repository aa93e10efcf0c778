import type { Evaluation, JudgeRequest } from '../../evaluation/evaluation.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { inputOf } from '../../run/score-answer.ts';
import { RecordedAnswers } from '../../run/store/recorded-answers.ts';
import type { RowRecord } from '../../run/store/row-log.ts';
import { rowFiles } from '../../run/store/run-folder.ts';

/** What a run recorded of a row. */
export interface AnsweredRow {
  /** The answers to its requests, in their order. */
  readonly answers: readonly string[];
  /** What its judges were asked, if it has any. */
  readonly judge?: readonly JudgeRequest[];
}

/** The rows of an evaluation as a run recorded them. */
export interface AnsweredRows {
  of(row: PositionedRow): Promise<AnsweredRow | undefined>;
  close(): Promise<void>;
}

export async function openAnsweredRows(
  folder: string,
  evaluation: Evaluation,
): Promise<AnsweredRows> {
  const { modelName, task } = evaluation;
  const recorded = await RecordedAnswers.open(rowFiles(folder, modelName, task.name), evaluation);
  return {
    async of(row) {
      const record = await recorded.row(Number(row.id));
      if (!record || record.outcome === 'failed') return undefined;
      const parts = await partsOf(record, recorded);
      return {
        answers: parts.map(({ answer = '' }) => answer),
        ...(evaluation.scorer.judge && { judge: await judgeRequests(evaluation, row, parts) }),
      };
    },
    close: () => recorded.close(),
  };
}

async function partsOf(record: RowRecord, recorded: RecordedAnswers): Promise<RowRecord[]> {
  if (!record.parts) return [record];
  const parts: RowRecord[] = [];
  for (const key of record.parts) {
    const part = await recorded.record(key);
    if (part) parts.push(part);
  }
  return parts;
}

/** What judges are asked about the answers of a row, made as the run made it. */
async function judgeRequests(
  evaluation: Evaluation,
  row: PositionedRow,
  records: readonly RowRecord[],
): Promise<JudgeRequest[]> {
  const asked: JudgeRequest[] = [];
  const answers: string[] = [];
  while (answers.length < records.length) {
    const { requests } = await evaluation.plan(row, answers);
    if (requests.length === 0) break;
    for (const { gold, row: scored } of requests) {
      const { answer: text = '', reasoning, label, weights } = records[answers.length] ?? {};
      answers.push(text);
      const input = inputOf({ reply: { text, reasoning, label, weights }, gold, row: scored });
      asked.push(...(await evaluation.planScoring(input)));
    }
  }
  return asked;
}
