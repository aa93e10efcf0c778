import { preparedRetriever } from '../prepared.ts';
import type { Retriever } from '../retriever.ts';
import { PoolVectors, type VectorSettings } from './pool-vectors.ts';

/** The rows whose texts mean most alike, the nearest first. */
export function topkRetriever(settings: VectorSettings, count: number): Retriever {
  settings.pool.require(count);
  const vectors = new PoolVectors(settings);
  return preparedRetriever(async (queries, { signal }) => {
    const found = await vectors.nearest(queries, { count, wanted: count, signal });
    return found.map(({ indexes }) => indexes);
  });
}
