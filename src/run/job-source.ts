import type { Inference } from '../infer/inference.ts';
import type { NamedRow, Prompt, Row } from '../prompt/index.ts';
import type { Query } from '../retrieve/index.ts';

/** What jobs are made of: the task of a run, or of a plan. */
export interface JobSource {
  readonly rows: AsyncIterable<readonly NamedRow[]>;
  readonly modelIdentity: string;
  readonly inference: Inference;
  /** Gets ready for some rows, if the task has to. */
  readonly prepare?: ((queries: readonly Query[]) => Promise<void>) | undefined;
  readonly stop?: readonly string[] | undefined;
  maxOutLenOf(row: Row): number | undefined;
  /** Takes note of a row, in the order of the data. */
  note(row: NotedRow): void;
  isDone(row: NotedRow): boolean;
  /** Takes note of a row that nothing can be asked about, and why. */
  refuse(row: NamedRow, error: Error): void;
}

/** A row with the identity of what it is asked. */
export interface NotedRow {
  readonly id: number;
  readonly row: Row;
  readonly key: string;
  /** Hash of what it is asked, whatever the model. */
  readonly prompt: string;
  /** What it is asked first. */
  readonly shown: Prompt;
  /** What examples give away of its answer, if they do. */
  readonly leak?: string | undefined;
}
