const maxValues = 4096;

/**
 * How often each value occurred. Memory is bounded: when there are too many different values, they
 * lose the last bits of their fractions, as many as it takes. The outcome does not depend on the
 * order in which values come.
 */
export class ValueCounts {
  #counts = new Map<number, number>();
  /** Bits of the fraction that are kept, of 52. */
  #bits = 52;
  #sum = 0;
  #lost = 0;
  #size = 0;

  /** Counts that go on from here by themselves. */
  copy(): ValueCounts {
    const copy = new ValueCounts();
    copy.#counts = new Map(this.#counts);
    copy.#bits = this.#bits;
    copy.#sum = this.#sum;
    copy.#lost = this.#lost;
    copy.#size = this.#size;
    return copy;
  }

  get size(): number {
    return this.#size;
  }

  /** The mean of the values as they came. */
  get mean(): number {
    return (this.#sum + this.#lost) / this.#size;
  }

  add(value: number, times = 1): void {
    this.#size += times;
    this.#addToSum(value * times);
    this.#count(coarsen(value, this.#bits), times);
    while (this.#counts.size > maxValues) this.#dropBits();
  }

  /** The different values in rising order, and how often each occurred. */
  entries(): [value: number, count: number][] {
    return [...this.#counts].sort(([left], [right]) => left - right);
  }

  #count(value: number, times: number): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + times);
  }

  /** Neumaier's sum: what rounding takes away is added up on the side. */
  #addToSum(value: number): void {
    const sum = this.#sum + value;
    const isLarger = Math.abs(this.#sum) >= Math.abs(value);
    this.#lost += isLarger ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  #dropBits(): void {
    this.#bits = this.#bits > 20 ? 20 : this.#bits - 1;
    const counts = this.#counts;
    this.#counts = new Map();
    for (const [value, times] of counts) this.#count(coarsen(value, this.#bits), times);
  }
}

const float = new Float64Array(1);
const words = /* @__PURE__ */ new Uint32Array(float.buffer);

// Assumes the byte order of all machines that JavaScript runs on in practice: low word first.
function coarsen(value: number, bits: number): number {
  if (bits === 52) return value;
  float[0] = value;
  words[0] = 0;
  words[1] = (words[1] ?? 0) & (-1 << (20 - bits));
  return float[0];
}
