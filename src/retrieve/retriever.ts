import type { NamedRow } from '../prompt/index.ts';

/** Chooses examples for a row: indexes into the pool, in the order in which they are shown. */
export type Retriever = (query: Query) => readonly number[];

export interface Query extends NamedRow {
  /** Place of the row among the test rows; only compat draws depend on it. */
  readonly index: number;
}
