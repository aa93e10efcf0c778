import { DataError } from '../errors.ts';
import type { Evaluation, JudgeRequest } from '../evaluation/evaluation.ts';
import type { RowId } from '../prompt/origin.ts';
import type { ScoreInput } from '../score/scorer.ts';

/** What judges would be asked about an answer, or why a run could not ask them: the row has no score then. */
export async function judgeRequests(
  { planScoring }: Pick<Evaluation, 'planScoring'>,
  input: ScoreInput,
): Promise<readonly JudgeRequest[] | DataError> {
  try {
    return await planScoring(input);
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
}

/** A row as its data name it: `row 6 of rows.jsonl`. */
export function rowName(id: RowId, { task: { dataset } }: Pick<Evaluation, 'task'>): string {
  const rows = dataset?.rows;
  const split = dataset?.readerCfg.testSplit ?? 'test';
  const file = rows?.type === 'files' ? rows.paths[split] : rows?.type === 'file' && rows.path;
  return file ? `row ${id} of ${file}` : `row ${id}`;
}
