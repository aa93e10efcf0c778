import type { SourceLocation } from '../../errors.ts';
import type { DataFile } from '../source/data-file.ts';
import { readChunks } from './read-chunks.ts';

const newline = 0x0a;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** How many bytes at the start of a file are no text. */
export function markLength(head: Buffer): number {
  return head.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
}

/** The positions of line ends, from the first to the last. */
export function findNewlines(bytes: Buffer): number[] {
  const positions: number[] = [];
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) {
    positions.push(at);
  }
  return positions;
}

/**
 * Line and column of a byte, found by reading the file again: only a file with a problem pays for
 * knowing them.
 */
export async function locateByte(file: DataFile, offset: number): Promise<SourceLocation> {
  let line = 1;
  let column = 1;
  let position = 0;
  for await (const chunk of readChunks(file.path)) {
    const start = position === 0 ? markLength(chunk) : 0;
    const part = chunk.subarray(start, Math.max(start, offset - position));
    const lineEnds = findNewlines(part);
    line += lineEnds.length;
    const lineStart = (lineEnds.at(-1) ?? -1) + 1;
    column = countCharacters(part.subarray(lineStart)) + (lineEnds.length > 0 ? 1 : column);
    position += chunk.length;
    if (position >= offset) break;
  }
  return { file: file.name, line, column };
}

function countCharacters(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) {
    const continuesCharacter = (byte & 0xc0) === 0x80;
    if (!continuesCharacter) count += 1;
  }
  return count;
}
