import { isAscii, isUtf8, transcode } from 'node:buffer';
import { DataError, type SourceLocation } from '../../errors.ts';
import { entriesOf, type Mapping } from '../../prompt/mapping.ts';
import { Float, type Row } from '../../prompt/values.ts';
import { JsonProblem, readJson } from '../json-reader.ts';
import type { DataFile } from '../source/data-file.ts';
import type { Piece } from './cut-pieces.ts';
import { areEndsWithoutExponents } from './edge-numbers.ts';
import { parseRow, parseRows } from './exact-json.ts';
import { locateByte } from './text-position.ts';

/** How the elements of a file are written. */
export interface ElementLayout {
  readonly file: DataFile;
  /** Whether each element is a line, and no row if it is blank. */
  readonly areLines: boolean;
}

/** Parses the rows of pieces: all of one at once if nothing is lost by it, or else one by one. */
export async function* parsePieces(
  pieces: AsyncIterable<Piece>,
  layout: ElementLayout,
): AsyncGenerator<readonly Row[], void, undefined> {
  let unchecked = rowsCheckedForKeys;
  for await (const piece of pieces) {
    const rows = parseTogether(piece, layout);
    if (rows && unchecked > 0) await refuseDoubleKeys(piece, { ...layout, rows });
    unchecked -= piece.ends.length;
    yield rows ?? (await parseApart(piece, layout));
  }
}

/** JSON.parse takes the last of two equal keys. To look for them in all rows would cost a fifth of the reading. */
const rowsCheckedForKeys = 1_000;
const longestChecked = 1 << 20;

function parseTogether(piece: Piece, { areLines }: ElementLayout): readonly Row[] | undefined {
  if (areLines && !beginAndEndAsObjects(piece)) return undefined;
  const text = decode(piece.list);
  if (text === undefined) return undefined;
  return parseRows(text, {
    count: piece.ends.length,
    endsWithoutExponents: () => areEndsWithoutExponents(piece),
  });
}

const [opening, closing, carriageReturn, colon] = [0x7b, 0x7d, 0x0d, 0x3a];
const jsonSpaces = new Set([0x20, 0x09, 0x0a, carriageReturn]);

/** Lines that are no objects by themselves could make objects when they are put together. */
function beginAndEndAsObjects({ list, ends }: Piece): boolean {
  let start = 1;
  for (const end of ends) {
    const last = list[end - 1] === carriageReturn ? end - 2 : end - 1;
    if (list[start] !== opening || list[last] !== closing) return false;
    start = end + 1;
  }
  return true;
}

/**
 * The text of bytes, or nothing if they are no UTF-8. In Node 20 this takes a tenth of the time of
 * `toString('utf8')` where the text is not English.
 */
function decode(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? transcode(bytes, 'utf8', 'utf16le').toString('utf16le') : undefined;
}

async function refuseDoubleKeys(
  piece: Piece,
  { rows, file }: ElementLayout & { readonly rows: readonly Row[] },
): Promise<void> {
  for (const [index, { text, offset }] of elementsOf(piece).entries()) {
    if (text === undefined || text.length > longestChecked) continue;
    if (mayHoldKeys(text) === countKeys(rows[index])) continue;
    await parseElement(text, {
      parse: (row) => readJson(row).value as Mapping,
      locate: (before) => locateByte(file, offset + before),
    });
  }
}

/** At least as many as there are keys: quotation marks before colons. */
function mayHoldKeys(text: string): number {
  let count = 0;
  for (let mark = text.indexOf('"'); mark >= 0; mark = text.indexOf('"', mark + 1)) {
    let next = mark + 1;
    while (jsonSpaces.has(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) === colon) count++;
  }
  return count;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Float) return 0;
  const values = Object.values(value);
  const own = Array.isArray(value) ? 0 : values.length;
  return values.reduce((count: number, one) => count + countKeys(one), own);
}

interface Element {
  /** Nothing if it is no UTF-8. */
  readonly text: string | undefined;
  /** Where it begins in the file. */
  readonly offset: number;
}

function elementsOf(piece: Piece): Element[] {
  let start = 1;
  return piece.ends.map((end) => {
    const text = decode(piece.list.subarray(start, end));
    const offset = piece.offset + start - 1;
    start = end + 1;
    return { text, offset };
  });
}

async function parseApart(piece: Piece, { file, areLines }: ElementLayout): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { text, offset } of elementsOf(piece)) {
    if (text === undefined) throw notUtf8(file, await locateByte(file, offset));
    if (areLines && text.trim() === '') continue;
    const locate = (before: number) => locateByte(file, offset + before);
    rows.push(await parseElement(text, { parse: parseRow, locate }));
  }
  return rows;
}

async function parseElement(
  text: string,
  {
    parse,
    locate,
  }: {
    readonly parse: (text: string) => Mapping | undefined;
    readonly locate: (bytesBefore: number) => Promise<SourceLocation>;
  },
): Promise<Row> {
  try {
    const row = parse(text);
    if (row instanceof Map) return Object.fromEntries(entriesOf(row));
    if (row !== undefined) return row as Row;
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    const before = Buffer.byteLength(text.slice(0, error.offset));
    throw syntaxError(error, await locate(before));
  }
  const indent = text.length - text.trimStart().length;
  throw notARow(await locate(indent));
}

type Problem = Pick<JsonProblem, 'message'> & Partial<Pick<JsonProblem, 'duplicateKey'>>;

export function syntaxError({ message, duplicateKey }: Problem, at: SourceLocation): DataError {
  const [code, hint] =
    duplicateKey === undefined
      ? ['data.syntax', 'Each row must be valid JSON.']
      : ['data.duplicate_key', 'Remove or rename one of the two.'];
  return new DataError(code, `${at.file}, line ${at.line}: ${message}`, { at, hint });
}

function notARow(at: SourceLocation): DataError {
  return new DataError(
    'data.not_a_row',
    `${at.file}, line ${at.line}: a row must be a JSON object`,
    { at, hint: 'Write each row as {"column": value, …}.' },
  );
}

export function notUtf8(file: DataFile, at?: SourceLocation): DataError {
  const location = at ? `, line ${at.line}` : '';
  return new DataError('data.encoding', `${file.name}${location}: the text is not UTF-8`, {
    at,
    hint: 'Save the file as UTF-8.',
  });
}
