import type { NamedRow } from '../prompt/index.ts';

export type DataFormat = 'jsonl' | 'json' | 'csv' | 'parquet';

/** A file that rows come from. */
export interface SourceFile {
  /** Path or address without secrets, as messages name it. */
  readonly name: string;
  readonly format: DataFormat;
  readonly bytes: number;
  readonly sha256: string;
  /** The commit, for files of a repository. */
  readonly revision?: string;
}

/** What was read, so that a run can be repeated on the same data. */
export interface SourceDescription {
  readonly files: readonly SourceFile[];
  /** Rows of the longest pass so far. */
  readonly rowsRead: number;
}

/**
 * Rows in batches. A row is named by its number in the split, which a selection keeps. Each call of
 * `batches` is a new pass that holds one batch at a time.
 */
export interface RowStream {
  batches(): AsyncIterable<readonly NamedRow[]>;
  count(): Promise<number>;
  describe(): Promise<SourceDescription>;
}

/** No batch holds more rows than this. */
export const maxBatchRows = 1_000;

/** Counts the rows in a pass of their own. */
export async function countRows(batches: AsyncIterable<readonly unknown[]>): Promise<number> {
  let count = 0;
  for await (const batch of batches) count += batch.length;
  return count;
}
