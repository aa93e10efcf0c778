const partBits = 14;
const partLength = 1 << partBits;
const partMask = partLength - 1;

/**
 * A column of numbers that starts as zeros. It grows by a part at a time: an array that is copied
 * to grow would need its memory twice. Parts that nothing was written to take no room.
 */
export class Column<Part extends Uint32Array | Float64Array> {
  readonly #parts: (Part | undefined)[] = [];
  readonly #makePart: (length: number) => Part;

  constructor(makePart: (length: number) => Part) {
    this.#makePart = makePart;
  }

  get(index: number): number {
    return this.#parts[partOf(index)]?.[index & partMask] ?? 0;
  }

  set(index: number, value: number): void {
    const place = partOf(index);
    let part = this.#parts[place];
    if (!part) {
      part = this.#makePart(partLength);
      this.#parts[place] = part;
    }
    part[index & partMask] = value;
  }

  /** The highest index below `end` that holds something but zero; -1 if there is none. */
  lastBelow(end: number): number {
    for (let place = this.#parts.length - 1; place >= 0; place--) {
      const part = this.#parts[place];
      const start = place * partLength;
      if (!part || start >= end) continue;
      for (let index = Math.min(end - start, partLength) - 1; index >= 0; index--) {
        if (part[index] !== 0) return start + index;
      }
    }
    return -1;
  }

  /** The indexes that hold something but zero, in order. */
  *indexes(): Generator<number> {
    for (const [place, part] of this.#parts.entries()) {
      if (!part) continue;
      for (let index = 0; index < partLength; index++) {
        if (part[index] !== 0) yield place * partLength + index;
      }
    }
  }
}

/** A shift, unless the index is beyond 32 bits. */
function partOf(index: number): number {
  return index < 2 ** 32 ? index >>> partBits : Math.floor(index / partLength);
}
