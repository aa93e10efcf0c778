import { DataError } from '../../errors.ts';
import type { Row } from '../../prompt/values.ts';
import type { DataFile } from '../source/data-file.ts';
import { cutPieces, type Stretch } from './cut-pieces.ts';
import { parsePieces } from './parse-piece.ts';
import { chunksOf } from './read-chunks.ts';
import { findNewlines, locateByte, markLength } from './text-position.ts';

const comma = 0x2c;
const lineFeed = 0x0a;
const blanks = new Set([0x20, 0x09, 0x0d]);

/** Reads a file of one JSON object a line; blank lines are skipped. */
export async function* readJsonLines(
  file: DataFile,
): AsyncGenerator<readonly Row[], void, undefined> {
  const pieces = cutPieces(readStretches(file), (offset) => tooLong(file, offset));
  yield* parsePieces(pieces, { file, areLines: true });
}

async function* readStretches(file: DataFile): AsyncGenerator<Stretch, void, undefined> {
  let offset = 0;
  for await (const chunk of chunksOf(file)) {
    const start = offset === 0 ? markLength(chunk) : 0;
    const bytes = chunk.subarray(start);
    const separators = findNewlines(bytes);
    for (const at of separators) bytes[at] = comma;
    yield { bytes, offset: offset + start, separators };
    offset += chunk.length;
  }
}

/** How many rows such a file has: lines that are not blank. Nothing is parsed. */
export async function countJsonLines(file: DataFile): Promise<number> {
  let count = 0;
  let isBlank = true;
  let isFirst = true;
  for await (const chunk of chunksOf(file)) {
    let start = isFirst ? markLength(chunk) : 0;
    isFirst = false;
    while (start < chunk.length) {
      const newline = chunk.indexOf(lineFeed, start);
      const end = newline < 0 ? chunk.length : newline;
      isBlank &&= isBlankBetween(chunk, start, end);
      if (newline >= 0) {
        if (!isBlank) count += 1;
        isBlank = true;
      }
      start = end + 1;
    }
  }
  return isBlank ? count : count + 1;
}

function isBlankBetween(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (!blanks.has(bytes[at] as number)) return false;
  }
  return true;
}

/** The error for a row that is larger than this program is ready to hold. */
export async function tooLong(file: DataFile, offset: number): Promise<DataError> {
  const at = await locateByte(file, offset);
  return new DataError(
    'data.row_too_long',
    `${file.name}, line ${at.line}: the row is longer than 256 MB`,
    { at, hint: 'Is a line break or separator missing? In JSONL each row is one line.' },
  );
}
