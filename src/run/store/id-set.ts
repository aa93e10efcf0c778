import { Column } from './column.ts';

/** A set of row numbers, one bit each. */
export class IdSet {
  readonly #words = new Column((length) => new Uint32Array(length));
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: number): void {
    const word = this.#words.get(id >>> 5);
    const bit = 1 << (id & 31);
    if ((word & bit) !== 0) return;
    this.#words.set(id >>> 5, word | bit);
    this.#size++;
  }

  has(id: number): boolean {
    return (this.#words.get(id >>> 5) & (1 << (id & 31))) !== 0;
  }
}
