import type { RowPlan } from '../evaluation/evaluation.ts';
import { type FailureKind, lastingKinds } from '../model/failure-kind.ts';
import type { IndexedLog } from './store/read-row-index.ts';

/** Which failed rows are asked again: all of them, none, or those of some kinds. */
export type RetryKinds = 'all' | 'none' | readonly FailureKind[];

/** Which failures are asked again; by default all but those that a server refuses for good. */
export function askedAgain(retry: RetryKinds | undefined): (kind: FailureKind) => boolean {
  if (retry === undefined) return (kind) => !lastingKinds.has(kind);
  if (retry === 'all' || retry === 'none') return () => retry === 'all';
  return (kind) => retry.includes(kind);
}

/** What a log holds of a row as it would be asked now. */
export interface RowState {
  /** Its answer, scored as it would be now (`done`) or not (`answered`), its failure, or nothing. */
  readonly state: 'done' | 'answered' | 'failed' | 'new';
  /** How it failed. */
  readonly failure?: FailureKind | undefined;
}

/** Decides what a run that goes on takes over of a row, and what it asks again. */
export function rowState(
  { index, rejects }: Pick<IndexedLog, 'index' | 'rejects'>,
  { id: rowId, key }: Pick<RowPlan, 'id' | 'key'>,
  scoring: () => string,
): RowState {
  const id = Number(rowId);
  if (!index.has(id, key)) {
    const failure = index.failureOf(id, key);
    return failure ? { state: 'failed', failure } : { state: 'new' };
  }
  if (!index.hasScoring(id, scoring())) return { state: 'answered' };
  return { state: rejects(id) ? 'new' : 'done' };
}
