const length = 624;
const middle = 397;

/** The Mersenne Twister MT19937 of Matsumoto and Nishimura, with both of its ways of seeding. */
export class MersenneTwister {
  readonly #state: Uint32Array;
  #position = length;

  private constructor(state: Uint32Array) {
    this.#state = state;
  }

  /** Seeds from one 32-bit number (`init_genrand`). */
  static fromSeed(seed: number): MersenneTwister {
    return new MersenneTwister(expandSeed(seed));
  }

  /** Seeds from a non-empty list of 32-bit words (`init_by_array`). */
  static fromKey(key: readonly number[]): MersenneTwister {
    const state = expandSeed(19650218);
    let index = 1;
    let keyIndex = 0;
    const advance = () => {
      index += 1;
      if (index < length) return;
      state[0] = wordAt(state, length - 1);
      index = 1;
    };
    for (let step = Math.max(length, key.length); step > 0; step -= 1) {
      const mixed = wordAt(state, index) ^ Math.imul(scrambleBefore(state, index), 1664525);
      state[index] = mixed + (key[keyIndex] as number) + keyIndex;
      keyIndex = (keyIndex + 1) % key.length;
      advance();
    }
    for (let step = length - 1; step > 0; step -= 1) {
      const mixed = wordAt(state, index) ^ Math.imul(scrambleBefore(state, index), 1566083941);
      state[index] = mixed - index;
      advance();
    }
    state[0] = 0x80000000;
    return new MersenneTwister(state);
  }

  /** The next 32-bit number, from 0 to 2^32 - 1. */
  next(): number {
    if (this.#position === length) {
      twist(this.#state);
      this.#position = 0;
    }
    let word = wordAt(this.#state, this.#position);
    this.#position += 1;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    word ^= word >>> 18;
    return word >>> 0;
  }
}

function wordAt(state: Uint32Array, index: number): number {
  return state[index] as number;
}

function scrambleBefore(state: Uint32Array, index: number): number {
  const previous = wordAt(state, index - 1);
  return previous ^ (previous >>> 30);
}

function expandSeed(seed: number): Uint32Array {
  const state = new Uint32Array(length);
  state[0] = seed;
  for (let index = 1; index < length; index += 1) {
    state[index] = Math.imul(scrambleBefore(state, index), 1812433253) + index;
  }
  return state;
}

function twist(state: Uint32Array): void {
  for (let index = 0; index < length; index += 1) {
    const next = wordAt(state, (index + 1) % length);
    const joined = (wordAt(state, index) & 0x80000000) | (next & 0x7fffffff);
    const odd = (joined & 1) === 1 ? 0x9908b0df : 0;
    state[index] = wordAt(state, (index + middle) % length) ^ (joined >>> 1) ^ odd;
  }
}
