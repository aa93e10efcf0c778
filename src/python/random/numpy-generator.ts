import { permute } from './numpy-permutation.ts';

const mask32 = 0xffffffffn;
const mask64 = 2n ** 64n - 1n;
const mask128 = 2n ** 128n - 1n;
const multiplier = 0x2360ed051fc65da44385df649fccf645n;
const poolSize = 4;

/** Draws what NumPy's `default_rng(seed)` draws: PCG64 (XSL-RR), seeded by a `SeedSequence`. */
export class NumpyGenerator {
  #state: bigint;
  readonly #increment: bigint;
  #held: number | undefined;

  constructor(seed: number) {
    const [a = 0n, b = 0n, c = 0n, d = 0n] = seedWords(BigInt(seed));
    this.#increment = ((((c << 64n) | d) << 1n) | 1n) & mask128;
    this.#state = (this.#increment + ((a << 64n) | b)) & mask128;
    this.#step();
  }

  /** `permutation(size)` */
  permutation(size: number): number[] {
    return permute(size, () => this.#next());
  }

  /** The low half of a draw of 64 bits, and its high half the next time. */
  #next(): number {
    if (this.#held !== undefined) {
      const held = this.#held;
      this.#held = undefined;
      return held;
    }
    this.#step();
    const folded = (this.#state >> 64n) ^ (this.#state & mask64);
    const turn = this.#state >> 122n;
    const drawn = ((folded >> turn) | (folded << (64n - turn))) & mask64;
    this.#held = Number(drawn >> 32n);
    return Number(drawn & mask32);
  }

  #step(): void {
    this.#state = (this.#state * multiplier + this.#increment) & mask128;
  }
}

/** `SeedSequence(seed).generate_state(4, uint64)` */
function seedWords(seed: bigint): bigint[] {
  const pool = mixSeed(seed);
  const hash = hasher(0x8b51f9dd, 0x58f38ded);
  const words = Array.from({ length: 8 }, (_, index) => BigInt(hash(pool[index % poolSize] ?? 0)));
  return [0, 2, 4, 6].map((index) => ((words[index + 1] ?? 0n) << 32n) | (words[index] ?? 0n));
}

function mixSeed(seed: bigint): number[] {
  const entropy: number[] = [];
  for (let rest = seed; rest > 0n; rest >>= 32n) entropy.push(Number(rest & mask32));
  const hash = hasher(0x43b0d7e5, 0x931e8875);
  const pool = Array.from({ length: poolSize }, (_, index) => hash(entropy[index] ?? 0));
  const mixInto = (index: number, word: number) => {
    const mixed = Math.imul(0xca01f9dd, pool[index] ?? 0) - Math.imul(0x4973f715, hash(word));
    pool[index] = foldDown(mixed);
  };
  for (const source of pool.keys()) {
    for (const target of pool.keys()) if (source !== target) mixInto(target, pool[source] ?? 0);
  }
  for (const word of entropy.slice(poolSize))
    for (const target of pool.keys()) mixInto(target, word);
  return pool;
}

/** A hash of 32-bit words whose constant changes with every word. */
function hasher(initial: number, factor: number): (word: number) => number {
  let constant = initial;
  return (word) => {
    const mixed = word ^ constant;
    constant = Math.imul(constant, factor);
    return foldDown(Math.imul(mixed, constant));
  };
}

function foldDown(word: number): number {
  const unsigned = word >>> 0;
  return (unsigned ^ (unsigned >>> 16)) >>> 0;
}
