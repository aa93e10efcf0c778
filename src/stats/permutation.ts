import { keyedRandom } from '../base/keyed-random.ts';
import { requireThat } from './check.ts';
import { normalShareAbove } from './normal.ts';

export interface PermutationOptions {
  readonly seed: number;
  readonly resamples?: number | undefined;
}

export interface PermutationResult {
  /** Two-sided. */
  readonly p: number;
  /** `exact`: all signs; `sampled`: random ones; `normal`: the limit for very many pairs. */
  readonly method: 'exact' | 'sampled' | 'normal';
}

const maxExact = 20;
const maxSampled = 10_000;

/**
 * Tests whether paired differences are 0 on average: how often they would be as far from it if each
 * had its sign by chance.
 *
 * @example
 * permutationTest([0.1, 0.3, -0.1, 0.2, 0.4], { seed: 1 }); // { p: 0.1875, method: 'exact' }
 */
export function permutationTest(
  differences: Iterable<number>,
  { seed, resamples = 9999 }: PermutationOptions,
): PermutationResult {
  requireThat(Number.isSafeInteger(resamples) && resamples > 0, `${resamples} is not a count`);
  const sizes = new Float64Array(Array.from(differences).filter((difference) => difference !== 0));
  requireThat(sizes.every(Number.isFinite), 'A difference is not finite');
  const sum = sizes.reduce((total, difference) => total + difference, 0);
  const room = sizes.reduce((total, difference) => total + Math.abs(difference), 0);
  // Sums that are equal but for rounding count as equal.
  const mark = Math.abs(sum) - room * 1e-12;
  if (sizes.length <= maxExact) return { p: exactShare(sizes, mark), method: 'exact' };
  if (sizes.length <= maxSampled) {
    const hits = countSampled(sizes, { mark, seed, resamples });
    return { p: (hits + 1) / (resamples + 1), method: 'sampled' };
  }
  const deviation = Math.sqrt(sizes.reduce((total, difference) => total + difference ** 2, 0));
  return { p: 2 * normalShareAbove(Math.abs(sum) / deviation), method: 'normal' };
}

/** The share of all choices of signs, each reached from the one before by turning one sign. */
function exactShare(sizes: Float64Array, mark: number): number {
  const signs = sizes.slice();
  const choices = 2 ** sizes.length;
  let sum = signs.reduce((total, size) => total + size, 0);
  let hits = 0;
  for (let choice = 1; choice <= choices; choice += 1) {
    if (Math.abs(sum) >= mark) hits += 1;
    const turned = 31 - Math.clz32(choice & -choice);
    const size = signs[turned] ?? 0;
    sum -= 2 * size;
    signs[turned] = -size;
  }
  return hits / choices;
}

interface SampleSettings {
  readonly mark: number;
  readonly seed: number;
  readonly resamples: number;
}

function countSampled(sizes: Float64Array, { mark, seed, resamples }: SampleSettings): number {
  const random = keyedRandom(seed, 'permutation');
  let hits = 0;
  for (let resample = 0; resample < resamples; resample += 1) {
    let sum = 0;
    let bits = 0;
    for (let index = 0; index < sizes.length; index += 1) {
      if (index % 32 === 0) bits = random.below(2 ** 32);
      const size = sizes[index] as number;
      sum += bits & 1 ? size : -size;
      bits >>>= 1;
    }
    if (Math.abs(sum) >= mark) hits += 1;
  }
  return hits;
}
