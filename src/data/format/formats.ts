import type { Row } from '../../prompt/values.ts';
import type { DataFormat, ReadOptions } from '../row-stream.ts';
import type { DataFile } from '../source/data-file.ts';
import { countJsonLines, readJsonLines } from './json-lines.ts';
import { readJsonList } from './json-list.ts';

type ReadRows = (file: DataFile, options: ReadOptions) => AsyncIterable<readonly Row[]>;

/** How files of one format are known and read. */
interface Format {
  /** How their names end. */
  readonly endings: readonly string[];
  readonly read: ReadRows;
  /** Whether their columns can be named elsewhere. */
  readonly takesColumns?: boolean;
  /** Left out: by reading them. */
  readonly count?: (file: DataFile) => Promise<number>;
}

export const formats: Readonly<Record<DataFormat, Format>> = {
  jsonl: { endings: ['.jsonl', '.ndjson'], read: readJsonLines, count: countJsonLines },
  json: { endings: ['.json'], read: readJsonList },
  csv: {
    endings: ['.csv'],
    read: readLater(async () => (await import('./csv.ts')).readCsv),
    takesColumns: true,
  },
  tsv: {
    endings: ['.tsv'],
    read: readLater(async () => (await import('./csv.ts')).readTsv),
    takesColumns: true,
  },
  parquet: {
    endings: ['.parquet'],
    read: readLater(async () => (await import('./parquet.ts')).readParquet),
    count: async (file) => (await import('./parquet.ts')).countParquetRows(file),
  },
};

/** A reader whose library is loaded with the first file. */
function readLater(load: () => Promise<ReadRows>): ReadRows {
  return async function* read(file, options) {
    yield* (await load())(file, options);
  };
}
