import { pipeline } from 'node:stream';
import { countOf } from '../../base/format.ts';
import { DataError } from '../../errors.ts';
import type { Row } from '../../prompt/values.ts';
import { maxBatchRows, type ReadOptions } from '../row-stream.ts';
import type { DataFile } from '../source/data-file.ts';
import { notUtf8 } from './parse-piece.ts';
import { chunksOf } from './read-chunks.ts';

const maxBatchCharacters = 1 << 20;
const maxRowBytes = 256 << 20;

/** Reads a CSV file. The first line is the header, unless the columns are given. All values are strings. */
export function readCsv(file: DataFile, options: ReadOptions) {
  return readTable(file, { ...options, delimiter: ',' });
}

/** The same for values that tabs divide. */
export function readTsv(file: DataFile, options: ReadOptions) {
  return readTable(file, { ...options, delimiter: '\t' });
}

interface TableOptions extends ReadOptions {
  readonly delimiter: string;
}

async function* readTable(
  file: DataFile,
  { columns, delimiter }: TableOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  let header: readonly string[] | undefined;
  let batch: Row[] = [];
  let characters = 0;
  for await (const record of readRecords(file, delimiter)) {
    if (header === undefined) {
      header = columns ? checkColumns(columns, record, file) : checkHeader(record, file);
      if (!columns) continue;
    }
    batch.push(Object.fromEntries(header.map((column, index) => [column, record[index]])));
    for (const value of record) characters += value.length;
    if (batch.length < maxBatchRows && characters < maxBatchCharacters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

async function* readRecords(
  file: DataFile,
  delimiter: string,
): AsyncGenerator<readonly string[], void, undefined> {
  const { CsvError, parse } = await import('csv-parse');
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: maxRowBytes,
    skip_empty_lines: true,
  });
  // An error of any step reaches the loop below through the parser.
  pipeline(
    copyChunks(file),
    (chunks) => checkText(chunks, file),
    parser,
    () => undefined,
  );
  try {
    yield* parser as AsyncIterable<readonly string[]>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw csvError(file, error);
  }
}

/** The parser keeps what it has not read to its end. */
async function* copyChunks(file: DataFile): AsyncGenerator<Buffer> {
  for await (const chunk of chunksOf(file)) yield Buffer.from(chunk);
}

async function* checkText(chunks: AsyncIterable<Buffer>, file: DataFile): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) {
    try {
      decoder.decode(chunk, { stream: true });
    } catch {
      throw notUtf8(file);
    }
    yield chunk;
  }
}

function checkHeader(columns: readonly string[], file: DataFile): readonly string[] {
  const seen = new Set<string>();
  const twice = columns.find((column) => seen.size === seen.add(column).size);
  if (twice === undefined) return columns;
  throw new DataError(
    'data.duplicate_column',
    `${file.name}: the column \`${twice}\` appears twice`,
    {
      at: { file: file.name, line: 1, column: 1 },
      hint: 'Give each column of the header a different name.',
    },
  );
}

/** The names for a file without a header line; the parser holds all other lines to the first one. */
function checkColumns(
  columns: readonly string[],
  first: readonly string[],
  file: DataFile,
): readonly string[] {
  const at = { file: file.name, line: 1, column: 1 };
  if (first.length !== columns.length) {
    throw new DataError(
      'data.column_count',
      `${file.name}, line 1: the row has ${countOf(first.length, 'value')}, but \`columns\` names ${columns.length}`,
      {
        at,
        hint:
          first.length === 1 && first[0]?.includes(';')
            ? 'Values are separated by commas, or by tabs in a file that ends in `.tsv`, and not by `;`.'
            : 'List every column of the file in `reader_cfg.columns`, in order.',
      },
    );
  }
  if (first.every((value, index) => value === columns[index])) {
    throw new DataError('data.header_as_row', `${file.name}, line 1: this line is a header`, {
      at,
      hint: 'Leave out `reader_cfg.columns`: the file already names its columns.',
    });
  }
  return columns;
}

interface ParserError extends Error {
  readonly code: string;
  readonly [detail: string]: unknown;
}

const problems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted value has no closing quote',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by other text',
  INVALID_OPENING_QUOTE: 'a value that does not begin with a quote contains one',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH:
    'the row and the first line have different numbers of values',
  CSV_MAX_RECORD_SIZE: 'the row is longer than 256 MB',
};

function csvError(file: DataFile, error: ParserError): DataError {
  const line = typeof error.lines === 'number' ? error.lines : 1;
  const row = typeof error.records === 'number' ? ` (row ${error.records})` : '';
  const problem = problems[error.code] ?? error.message;
  return new DataError('data.syntax', `${file.name}, line ${line}${row}: ${problem}`, {
    at: { file: file.name, line, column: 1 },
    hint: 'Put values with commas, quotes or line breaks in double quotes, and double the quotes inside them.',
    cause: error,
  });
}
