const partBits = 14;
const partMask = (1 << partBits) - 1;

/**
 * A column of numbers that starts as zeros. It grows by a part at a time: an array that is copied
 * to grow would need its memory twice.
 */
export class Column<Part extends Uint32Array | Float64Array> {
  readonly #parts: (Part | undefined)[] = [];
  readonly #makePart: (length: number) => Part;

  constructor(makePart: (length: number) => Part) {
    this.#makePart = makePart;
  }

  get(index: number): number {
    return this.#parts[index >>> partBits]?.[index & partMask] ?? 0;
  }

  set(index: number, value: number): void {
    let part = this.#parts[index >>> partBits];
    if (!part) {
      part = this.#makePart(partMask + 1);
      this.#parts[index >>> partBits] = part;
    }
    part[index & partMask] = value;
  }

  /** One more than the highest index that may hold something. */
  get length(): number {
    return this.#parts.length << partBits;
  }
}
