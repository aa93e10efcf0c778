import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { DataError, type SourceLocation } from '../errors.ts';
import type { NamedRow, Row } from '../prompt/index.ts';
import { entriesOf, isMapping } from '../prompt/mapping.ts';
import { JsonProblem, readJson } from './json-reader.ts';

/** Reads a JSONL or JSON file of rows. A row is named by its number in the file. */
export async function readRows(file: string): Promise<NamedRow[]> {
  const text = (await readText(file)).replace(/^\uFEFF/, '');
  const extension = extname(file).toLowerCase();
  if (extension === '.jsonl' || extension === '.ndjson') return readLines(text, file);
  if (extension === '.json') return readList(text, file);
  throw new DataError('data.unknown_format', `${file}: cannot tell the format from the name`, {
    hint: 'Rows are read from .jsonl and .json files.',
  });
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new DataError('data.not_found', `${file}: the data file cannot be read`, {
      hint: 'Paths are relative to the config file.',
      cause,
    });
  }
}

function readLines(text: string, file: string): NamedRow[] {
  const rows: NamedRow[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parseValue(line, file, index + 1);
    rows.push({ id: rows.length, row: checkRow(value, { file, line: index + 1, column: 1 }) });
  }
  return rows;
}

function readList(text: string, file: string): NamedRow[] {
  const value = parseValue(text, file, 1);
  const at = { file, line: 1, column: 1 };
  if (Array.isArray(value)) return value.map((row, id) => ({ id, row: checkRow(row, at) }));
  throw new DataError('data.not_a_list', `${file}: a JSON data file must hold a list of rows`, {
    at,
  });
}

/** Numbers that JSON.parse would lose something of: `1.0`, `1e3`, integers beyond 2^53. */
const inexactNumber = /[:,[\s]-?\d+(?:\.0+(?!\d)|(?:\.\d+)?[eE]|\d{15})/;

function parseValue(text: string, file: string, firstLine: number): unknown {
  if (!inexactNumber.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // The reader below finds the place.
    }
  }
  try {
    return readJson(text).value;
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    const before = text.slice(0, error.offset).split('\n');
    const line = firstLine + before.length - 1;
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new DataError('data.syntax', `${file}, line ${line}: ${error.message}`, {
      at: { file, line, column },
      hint: 'Each row must be valid JSON.',
    });
  }
}

function checkRow(value: unknown, at: SourceLocation): Row {
  if (isMapping(value)) return Object.fromEntries(entriesOf(value));
  throw new DataError(
    'data.not_a_row',
    `${at.file}, line ${at.line}: a row must be a JSON object`,
    {
      at,
    },
  );
}
