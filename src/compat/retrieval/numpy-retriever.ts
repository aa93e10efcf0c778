import { NumpyRandom } from '../../python/random/numpy-random.ts';
import { poolTooSmall } from '../../retrieve/pool.ts';
import type { Retriever, RetrieverContext } from '../../retrieve/retriever.ts';

interface NumpySettings extends Pick<RetrieverContext, 'pool' | 'path'> {
  readonly count: number;
  readonly seed: number;
}

/** The draws of OpenCompass and AISBench: one NumPy generator for all rows, in their order. */
export function numpyRetriever({ pool, count, seed, path }: NumpySettings): Retriever {
  const { length: available } = pool;
  if (count > available) throw poolTooSmall({ wanted: count, available, path });
  const generator = new NumpyRandom(seed);
  const draws: number[][] = [];
  return ({ position }) => {
    while (draws.length <= position) draws.push(generator.choice(available, count));
    return draws[position] ?? [];
  };
}
