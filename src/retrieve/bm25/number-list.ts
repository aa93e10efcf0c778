/** Whole numbers, as many as come. */
export class NumberList {
  #numbers = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length] = value;
    this.#length += 1;
  }

  increment(index: number): void {
    this.#numbers[index] = (this.#numbers[index] ?? 0) + 1;
  }

  /** The numbers, without a copy. */
  toArray(): Int32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}
