import { CPythonRandom } from '../../../python/random/cpython-random.ts';
import { NumpyGenerator } from '../../../python/random/numpy-generator.ts';

export interface Selection {
  /** At most so many; all of them if it is left out, null or below 0. */
  readonly maxSamples?: number | null | undefined;
  /** The order is kept if it is left out, null or below 0. */
  readonly shuffleSeed?: number | null | undefined;
  /** Whose order a seed stands for: that of Hugging Face datasets, or Python's own. */
  readonly generator?: 'numpy' | 'cpython';
}

/** Puts samples in the order of a seed, and keeps the first ones. */
export function selectSamples<Sample>(
  samples: readonly Sample[],
  { maxSamples, shuffleSeed, generator = 'numpy' }: Selection,
): Sample[] {
  const isShuffled = typeof shuffleSeed === 'number' && shuffleSeed >= 0;
  const ordered = isShuffled ? shuffled(samples, { seed: shuffleSeed, generator }) : [...samples];
  return typeof maxSamples === 'number' && maxSamples >= 0 ? ordered.slice(0, maxSamples) : ordered;
}

function shuffled<Sample>(
  samples: readonly Sample[],
  { seed, generator }: { readonly seed: number; readonly generator: 'numpy' | 'cpython' },
): Sample[] {
  if (generator === 'numpy') {
    const order = new NumpyGenerator(seed).permutation(samples.length);
    return order.map((index) => samples[index] as Sample);
  }
  const copy = [...samples];
  new CPythonRandom(seed).shuffle(copy);
  return copy;
}
