import { type Evaluation, goldOf } from '../evaluation/evaluation.ts';
import { requestKey, rowHash } from '../evaluation/key.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import type { Row } from '../prompt/values.ts';
import { clusterOf } from './cluster-of.ts';
import type { Job } from './job.ts';
import { shownExamples } from './make-record.ts';
import type { RowCase } from './row-case.ts';
import { toJson } from './score-answer.ts';
import type { RowRecord } from './store/row-record.ts';

/** How a request failed. */
function failureOf({ planned: { id }, attempts }: Job, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  return { id, outcome: 'failed', reason, kind: failureKind(error), attempts } as const;
}

/** What tells a row that failed from others, and what would have been right. */
function rowFields(row: Row, { task }: Evaluation): Pick<RowRecord, 'row' | 'gold' | 'cluster'> {
  const cluster = clusterOf(row, task.clusterBy);
  return { row: rowHash(row), gold: toJson(goldOf(task, row)), cluster };
}

/** The log record of a row whose only request failed. */
export function failedRecord(job: Job, error: unknown, evaluation: Evaluation): RowRecord {
  const { key, promptHash: prompt, row } = job.planned;
  const shown = shownExamples(job.planned, evaluation);
  return { ...failureOf(job, error), key, prompt, ...shown, ...rowFields(row, evaluation) };
}

/** That of one request of several that failed. */
export function failedPart(
  job: Job,
  error: unknown,
  { part, evaluation }: { readonly part: string | number; readonly evaluation: Evaluation },
): RowRecord {
  const { key, promptHash: prompt } = job.planned;
  return {
    ...failureOf(job, error),
    ...{ key, prompt },
    ...shownExamples(job.planned, evaluation),
    part,
  };
}

/** That of a row of which a request failed. What was paid for its answers is paid, whatever became of it. */
export function failedWhole(
  job: Job,
  error: unknown,
  { whole, evaluation }: { readonly whole: RowCase; readonly evaluation: Evaluation },
): RowRecord {
  const { key, promptHash: prompt, row } = whole.plan;
  const { keys: parts, finishes, turnScores: metrics, verdicts, untold } = whole;
  const paid = parts.length > 0 ? { tokens: whole.tokens, untold, verdicts } : {};
  return {
    ...failureOf(job, error),
    ...{ key, prompt, parts, finishes, metrics },
    ...paid,
    ...shownExamples(whole.fitted, evaluation),
    ...rowFields(row, evaluation),
  };
}

/** That of a row about which nothing could be asked. */
export function refusedRecord(
  { id, row }: PositionedRow,
  error: Error,
  evaluation: Evaluation,
): RowRecord {
  return {
    id: Number(id),
    key: requestKey(rowHash(row), evaluation.modelIdentity),
    prompt: '',
    outcome: 'failed',
    reason: error.message,
    kind: failureKind(error),
    ...rowFields(row, evaluation),
  };
}
