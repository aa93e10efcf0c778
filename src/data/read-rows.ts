import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { DataError } from '../errors.ts';
import type { NamedRow, Row } from '../prompt/index.ts';
import { isMapping } from '../prompt/mapping.ts';
import { parseJson } from './parse-json.ts';

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
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const value = parseAt(line, { file, line: index + 1 });
    rows.push({ id: rows.length, row: checkRow(value, { file, line: index + 1, column: 1 }) });
  });
  return rows;
}

function readList(text: string, file: string): NamedRow[] {
  const value = parseAt(text, { file, line: 1 });
  const at = { file, line: 1, column: 1 };
  if (!Array.isArray(value)) {
    throw new DataError('data.not_a_list', `${file}: a JSON data file must hold a list of rows`, {
      at,
    });
  }
  return value.map((row, id) => ({ id, row: checkRow(row, at) }));
}

function parseAt(text: string, { file, line }: { file: string; line: number }): unknown {
  const result = parseJson(text);
  if (result.type === 'value') return result.value;
  const before = text.slice(0, result.offset).split('\n');
  const at = {
    file,
    line: line + before.length - 1,
    column: (before.at(-1)?.length ?? 0) + 1,
  };
  throw new DataError('data.syntax', `${file}:${at.line}:${at.column}: ${result.problem}`, { at });
}

function checkRow(value: unknown, at: { file: string; line: number; column: number }): Row {
  if (isMapping(value) && !(value instanceof Map)) return value as Row;
  throw new DataError('data.not_a_row', `${at.file}:${at.line}: a row must be a JSON object`, {
    at,
  });
}
