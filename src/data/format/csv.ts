import { pipeline } from 'node:stream';
import { DataError } from '../../errors.ts';
import type { Row } from '../../prompt/values.ts';
import { maxBatchRows } from '../row-stream.ts';
import type { DataFile } from '../source/data-file.ts';
import { notUtf8 } from './parse-piece.ts';
import { chunksOf } from './read-chunks.ts';

const maxBatchCharacters = 1 << 20;
const maxRowBytes = 256 << 20;

/** Reads a CSV file with a header line. All values are strings. */
export async function* readCsv(file: DataFile): AsyncGenerator<readonly Row[], void, undefined> {
  let header: readonly string[] | undefined;
  let batch: Row[] = [];
  let characters = 0;
  for await (const record of readRecords(file)) {
    if (header === undefined) {
      header = checkHeader(record, file);
      continue;
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

async function* readRecords(file: DataFile): AsyncGenerator<readonly string[], void, undefined> {
  const { CsvError, parse } = await import('csv-parse');
  const parser = parse({ bom: true, max_record_size: maxRowBytes, skip_empty_lines: true });
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
  const twice = columns.find((column, index) => columns.indexOf(column) < index);
  if (twice === undefined) return columns;
  throw new DataError(
    'data.duplicate_column',
    `${file.name}: the column \`${twice}\` comes twice`,
    {
      at: { file: file.name, line: 1, column: 1 },
      hint: 'Give each column of the header a name of its own.',
    },
  );
}

interface ParserError extends Error {
  readonly code: string;
  readonly [detail: string]: unknown;
}

const problems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted value has no closing quote',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by other text',
  INVALID_OPENING_QUOTE: 'a quote stands inside a value that does not begin with one',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'the row does not have as many values as the header',
  CSV_MAX_RECORD_SIZE: 'the row is longer than 256 MB',
};

function csvError(file: DataFile, error: ParserError): DataError {
  const line = typeof error.lines === 'number' ? error.lines : 1;
  const row = typeof error.records === 'number' ? ` (row ${error.records})` : '';
  const problem = problems[error.code] ?? error.message;
  return new DataError('data.syntax', `${file.name}, line ${line}${row}: ${problem}`, {
    at: { file: file.name, line, column: 1 },
    hint: 'A value with commas, quotes or line breaks stands in double quotes; a quote in it is written twice.',
    cause: error,
  });
}
