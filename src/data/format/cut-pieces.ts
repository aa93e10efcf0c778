import { maxBatchRows } from '../row-stream.ts';

/** A stretch of a file, and where in it elements (lines, or members of a list) are separated. */
export interface Stretch {
  readonly bytes: Buffer;
  /** Where the stretch begins in the file. */
  readonly offset: number;
  readonly separators: readonly number[];
}

/** Whole elements that lie together, in brackets. */
export interface Piece {
  readonly list: Buffer;
  /** Where the first element begins in the file. */
  readonly offset: number;
  /** Where each element ends in the list; the next begins one byte later. */
  readonly ends: readonly number[];
}

/** Strings beyond this size leave the part of the heap where new values are cheap. */
const pieceBytes = 64 << 10;
const maxElementBytes = 256 << 20;

/**
 * Cuts stretches into pieces of whole elements, writing over the separators around them. An element of more than 256 MB is not put
 * together; `refuse` makes the error that is thrown instead.
 */
export async function* cutPieces(
  stretches: AsyncIterable<Stretch>,
  refuse: (offset: number) => Promise<Error>,
): AsyncGenerator<Piece, void, undefined> {
  const begun = new BegunElement();
  for await (const { bytes, offset, separators } of stretches) {
    let start = 0;
    let index = 0;
    const [first] = separators;
    if (begun.length > 0 && first !== undefined) {
      yield begun.finish(bytes.subarray(0, first));
      start = first + 1;
      index = 1;
    }
    while (index < separators.length) {
      const last = lastOfPiece(separators, { index, start });
      const end = separators[last] as number;
      const ends = separators.slice(index, last + 1).map((separator) => separator - start + 1);
      yield { list: putInBrackets(bytes, { start, end }), offset: offset + start, ends };
      start = end + 1;
      index = last + 1;
    }
    begun.append(bytes.subarray(start), offset + start);
    if (begun.length > maxElementBytes) throw await refuse(begun.offset);
  }
  if (begun.length > 0) yield begun.finish(Buffer.alloc(0));
}

const [opening, closing] = [0x5b, 0x5d];

/** A list of what lies between two positions, made in the buffer itself if a separator stands before it. */
function putInBrackets(
  bytes: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
): Buffer {
  const list =
    start > 0
      ? bytes.subarray(start - 1, end + 1)
      : Buffer.concat([Buffer.alloc(1), bytes.subarray(start, end), Buffer.alloc(1)]);
  list[0] = opening;
  list[list.length - 1] = closing;
  return list;
}

function lastOfPiece(
  separators: readonly number[],
  { index, start }: { readonly index: number; readonly start: number },
): number {
  let last = index;
  while (last + 1 < separators.length && last + 1 - index < maxBatchRows) {
    if ((separators[last + 1] as number) - start > pieceBytes) break;
    last += 1;
  }
  return last;
}

/** An element of which only the start has been read. */
class BegunElement {
  offset = 0;
  length = 0;
  #parts: Buffer[] = [];

  append(bytes: Buffer, offset: number): void {
    if (bytes.length === 0) return;
    if (this.length === 0) this.offset = offset;
    this.#parts.push(Buffer.from(bytes));
    this.length += bytes.length;
  }

  finish(bytes: Buffer): Piece {
    const whole = Buffer.concat([...this.#parts, bytes]);
    this.#parts = [];
    this.length = 0;
    const list = putInBrackets(whole, { start: 0, end: whole.length });
    return { list, offset: this.offset, ends: [whole.length + 1] };
  }
}
