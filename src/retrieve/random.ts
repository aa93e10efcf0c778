import { keyedRandom, sampleWithoutReplacement } from '../base/keyed-random.ts';
import type { Pool } from './pool.ts';
import type { Retriever } from './retriever.ts';

export interface DrawSettings {
  readonly pool: Pool;
  readonly count: number;
  readonly seed: number;
}

/**
 * Examples drawn for each row from its id and the seed alone, so that the draw does not change
 * with the order, the number or the choice of rows. A row is never its own example.
 */
export function randomRetriever({ pool, count, seed }: DrawSettings): Retriever {
  pool.require(count);
  return (query) => {
    const { members, own } = pool.choicesFor(query, count);
    const drawn = sampleWithoutReplacement(
      keyedRandom(seed, query.id),
      members.length,
      count + own.length,
    );
    return drawn
      .map((index) => members[index] as number)
      .filter((index) => !own.includes(index))
      .slice(0, count);
  };
}
