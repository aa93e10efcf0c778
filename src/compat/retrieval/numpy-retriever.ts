import { NumpyRandomState } from '../../python/random/numpy-random-state.ts';
import { poolTooSmall } from '../../retrieve/pool-errors.ts';
import type { Retriever, RetrieverContext } from '../../retrieve/retriever.ts';

interface NumpySettings extends Pick<RetrieverContext, 'pool' | 'path'> {
  readonly count: number;
  readonly seed: number;
}

/** The draws of OpenCompass and AISBench: one NumPy generator for all rows, in their order. */
export function numpyRetriever({ pool, count, seed, path }: NumpySettings): Retriever {
  const { length: available } = pool;
  if (count > available) throw poolTooSmall({ wanted: count, available, path });
  const generator = new NumpyRandomState(seed);
  const draws: number[][] = [];
  return ({ position }) => {
    while (draws.length <= position) draws.push(generator.choice(available, count));
    return draws[position] ?? [];
  };
}
