import { checkSample } from '../../base/check-draw.ts';
import { Mt19937 } from './mt19937.ts';

/** Draws what NumPy's legacy `RandomState(seed)` draws; the seed is a 32-bit number. */
export class NumpyRandom {
  readonly #generator: Mt19937;

  constructor(seed: number) {
    this.#generator = Mt19937.fromSeed(seed);
  }

  /** `choice(size, count, replace=False)`: the beginning of a permutation of all `size` numbers. */
  choice(size: number, count: number): number[] {
    checkSample(size, count);
    const items = Array.from({ length: size }, (_, index) => index);
    for (let index = size - 1; index > 0; index -= 1) {
      const other = this.#upTo(index);
      const held = items[index] as number;
      items[index] = items[other] as number;
      items[other] = held;
    }
    return items.slice(0, count);
  }

  #upTo(largest: number): number {
    const mask = 0xffffffff >>> Math.clz32(largest);
    for (;;) {
      const drawn = (this.#generator.next() & mask) >>> 0;
      if (drawn <= largest) return drawn;
    }
  }
}
