import type { NamedRow, PositionedRow } from '../prompt/trace.ts';

export const dataFormats = ['jsonl', 'json', 'csv', 'tsv', 'parquet'] as const;

export type DataFormat = (typeof dataFormats)[number];

/** How a file is read, beside its format. */
export interface ReadOptions {
  /** The names of the columns, for files without a header line. */
  readonly columns?: readonly string[] | undefined;
}

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
  /** Of documents that a suite reads in its own way: their hash and number, and whether they are made up. */
  readonly hash?: string | undefined;
  readonly documents?: number | undefined;
  readonly synthetic?: boolean | undefined;
}

/**
 * Rows in batches. A row is named by its number in the split, which a selection keeps. Each call of
 * `batches` is a new pass that holds one batch at a time.
 */
export interface RowStream<Named extends NamedRow = NamedRow> {
  batches(): AsyncIterable<readonly Named[]>;
  count(): Promise<number>;
  describe(): Promise<SourceDescription>;
  /** Lets go of files that were opened and not read. */
  close?(): Promise<void>;
}

/** The rows of a stream with their positions in it. */
export function positionRows(stream: RowStream): RowStream<PositionedRow> {
  return {
    ...passOn(stream),
    async *batches() {
      let position = 0;
      for await (const batch of stream.batches()) {
        yield batch.map(({ id, row }) => ({ id, row, position: position++ }));
      }
    },
  };
}

/** What a stream that is made of another leaves to it. */
export function passOn(stream: RowStream): Omit<RowStream, 'batches'> {
  return {
    count: () => stream.count(),
    describe: () => stream.describe(),
    close: async () => stream.close?.(),
  };
}

/** Rows that are held in memory. */
export function heldRows(rows: readonly NamedRow[]): RowStream {
  return {
    async *batches() {
      for (let first = 0; first < rows.length; first += maxBatchRows) {
        yield rows.slice(first, first + maxBatchRows);
      }
    },
    count: async () => rows.length,
    describe: async () => ({ files: [], rowsRead: rows.length }),
  };
}

/** No batch holds more rows than this. */
export const maxBatchRows = 250;

/** Counts the rows in a pass of their own. */
export async function countRows(batches: AsyncIterable<readonly unknown[]>): Promise<number> {
  let count = 0;
  for await (const batch of batches) count += batch.length;
  return count;
}
