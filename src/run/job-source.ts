import type { Evaluation, RowPlan } from '../evaluation/evaluation.ts';
import type { PositionedRow } from '../prompt/trace.ts';

/** What jobs are made of: an evaluation that is run, or planned. */
export interface JobSource {
  readonly evaluation: Pick<Evaluation, 'rows' | 'prepare' | 'plan' | 'type'>;
  /** Takes note of a row, in the order of the data. */
  note(plan: RowPlan): void;
  isDone(plan: RowPlan): boolean;
  /** Takes note of a row that nothing can be asked about, and why. */
  refuse(row: PositionedRow, error: Error): void;
}
