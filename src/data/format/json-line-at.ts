import type { Row } from '../../prompt/values.ts';
import type { DataFile } from '../source/data-file.ts';
import { cutPieces } from './cut-pieces.ts';
import { tooLong } from './json-lines.ts';
import { parsePieces } from './parse-piece.ts';
import { chunksOf } from './read-chunks.ts';
import { markLength } from './text-position.ts';

const lineFeed = 0x0a;
const blank = /^[\t\r ]*$/;

/**
 * One row of a file of a JSON object a line, by its number. Lines before it are counted and not parsed.
 * Nothing if there are blank lines in question or too few lines: reading from the start finds it then.
 */
export async function jsonLineAt(file: DataFile, wanted: number): Promise<Row | undefined> {
  let line = 0;
  let isFirst = true;
  const found: Buffer[] = [];
  for await (const chunk of chunksOf(file)) {
    let start = isFirst ? markLength(chunk) : 0;
    isFirst = false;
    while (start < chunk.length && line <= wanted) {
      const newline = chunk.indexOf(lineFeed, start);
      const end = newline < 0 ? chunk.length : newline;
      if (line === wanted) found.push(Buffer.from(chunk.subarray(start, end)));
      if (newline >= 0) line += 1;
      start = end + 1;
    }
    if (line > wanted) break;
  }
  const bytes = Buffer.concat(found);
  if (blank.test(bytes.toString('latin1'))) return undefined;
  return parseLine(file, bytes);
}

async function parseLine(file: DataFile, bytes: Buffer): Promise<Row | undefined> {
  async function* stretches() {
    yield { bytes, offset: 0, separators: [] };
  }
  const pieces = cutPieces(stretches(), (offset) => tooLong(file, offset));
  for await (const [row] of parsePieces(pieces, { file, areLines: true })) return row;
  return undefined;
}
