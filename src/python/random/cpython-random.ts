import { checkLimit, checkSample } from '../../base/keyed-random.ts';
import { MersenneTwister } from './mersenne-twister.ts';

/** Draws what CPython 3.11's `random.Random(seed)` draws, for whole-number seeds. */
export class CPythonRandom {
  readonly #twister: MersenneTwister;

  constructor(seed: number | bigint) {
    this.#twister = MersenneTwister.fromKey(wordsOf(BigInt(seed)));
  }

  /** `getrandbits`, up to 53 bits. */
  bits(count: number): number {
    if (count === 0) return 0;
    if (count <= 32) return this.#twister.next() >>> (32 - count);
    const low = this.#twister.next();
    const high = this.#twister.next() >>> (64 - count);
    return high * 2 ** 32 + low;
  }

  /** `random`: a number in [0, 1) with 53 random bits. */
  next(): number {
    const high = this.#twister.next() >>> 5;
    const low = this.#twister.next() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** `_randbelow`: a whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    checkLimit(limit, Number.MAX_SAFE_INTEGER);
    const count = bitLength(limit);
    let drawn = this.bits(count);
    while (drawn >= limit) drawn = this.bits(count);
    return drawn;
  }

  /** `shuffle`: reorders the items in place. */
  shuffle(items: unknown[]): void {
    for (let index = items.length - 1; index > 0; index -= 1) {
      const other = this.below(index + 1);
      [items[index], items[other]] = [items[other], items[index]];
    }
  }

  /** `sample(range(size), count)`: distinct numbers in the order in which they are drawn. */
  sample(size: number, count: number): number[] {
    checkSample(size, count);
    return size <= largestPool(count)
      ? this.#sampleFromPool(size, count)
      : this.#sampleByRedrawing(size, count);
  }

  #sampleFromPool(size: number, count: number): number[] {
    const pool = Array.from({ length: size }, (_, index) => index);
    return Array.from({ length: count }, (_, index) => {
      const left = size - index;
      const position = this.below(left);
      const drawn = pool[position] as number;
      pool[position] = pool[left - 1] as number;
      return drawn;
    });
  }

  #sampleByRedrawing(size: number, count: number): number[] {
    const drawn = new Set<number>();
    while (drawn.size < count) drawn.add(this.below(size));
    return [...drawn];
  }
}

function wordsOf(seed: bigint): number[] {
  const words: number[] = [];
  let rest = seed < 0n ? -seed : seed;
  do {
    words.push(Number(rest & 0xffffffffn));
    rest >>= 32n;
  } while (rest > 0n);
  return words;
}

function bitLength(value: number): number {
  const high = Math.floor(value / 2 ** 32);
  return high === 0 ? 32 - Math.clz32(value) : 64 - Math.clz32(high);
}

// CPython takes the pool while it is no larger than the set of drawn numbers would be.
function largestPool(count: number): number {
  const smallSet = 21;
  if (count <= 5) return smallSet;
  let table = 1;
  while (table < count * 3) table *= 4;
  return smallSet + table;
}
