import { checkSample } from '../../base/keyed-random.ts';
import { MersenneTwister } from './mersenne-twister.ts';
import { permute } from './numpy-permutation.ts';

/** Draws what NumPy's legacy `RandomState(seed)` draws; the seed is a 32-bit number. */
export class NumpyRandomState {
  readonly #twister: MersenneTwister;

  constructor(seed: number) {
    this.#twister = MersenneTwister.fromSeed(seed);
  }

  /** `choice(size, count, replace=False)`: the start of a permutation of all `size` numbers. */
  choice(size: number, count: number): number[] {
    checkSample(size, count);
    return permute(size, () => this.#twister.next()).slice(0, count);
  }
}
