import { type ConfigPath, DataError, formatPath } from '../errors.ts';
import type { NamedRow } from '../prompt/index.ts';
import { keyedRandom, NumpyRandom, sampleWithoutReplacement } from '../random/index.ts';
import type { Retriever } from './retriever.ts';

export interface RandomSettings {
  readonly pool: readonly NamedRow[];
  readonly count: number;
  readonly seed: number;
  readonly path: ConfigPath;
}

/**
 * Examples drawn for each row from its id and the seed alone, so that the draw does not change
 * with the order, the number or the choice of rows. A row is never its own example.
 */
export function randomRetriever({ pool, count, seed, path }: RandomSettings): Retriever {
  checkPool({ pool, count, path });
  return ({ id, row }) => {
    const drawn = sampleWithoutReplacement(
      keyedRandom(seed, id),
      pool.length,
      Math.min(count + 1, pool.length),
    );
    const others = drawn.filter((index) => pool[index]?.row !== row);
    if (others.length < count) checkPool({ pool: pool.slice(1), count, path });
    return others.slice(0, count);
  };
}

/** The draws of OpenCompass and AISBench: one NumPy generator for all rows, in their order. */
export function numpyRetriever({ pool, count, seed, path }: RandomSettings): Retriever {
  checkPool({ pool, count, path });
  const generator = new NumpyRandom(seed);
  const draws: number[][] = [];
  return ({ index }) => {
    while (draws.length <= index) draws.push(generator.choice(pool.length, count));
    return draws[index] ?? [];
  };
}

function checkPool({ pool, count, path }: Omit<RandomSettings, 'seed'>): void {
  if (count <= pool.length) return;
  throw new DataError(
    'retrieve.pool_too_small',
    `${formatPath(path)}: ${count} examples are wanted, but only ${pool.length} rows can be drawn`,
    { path, hint: 'Lower `ice_num`, or give a larger train split.' },
  );
}
