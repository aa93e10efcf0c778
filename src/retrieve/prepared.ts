import type { RowId } from '../prompt/origin.ts';
import type { Query, Retriever, WaitOptions } from './retriever.ts';

/** Chooses the examples of some rows at once. */
export type ChooseAhead = (
  queries: readonly Query[],
  options: { readonly signal: AbortSignal },
) => Promise<readonly (readonly number[])[]>;

/** Rows come in batches and are done soon after: what was chosen long ago is not asked for again. */
const maxKept = 100_000;

/** A retriever that has to wait for its choices: it makes them ahead, and hands them out by row id. */
export function preparedRetriever(choose: ChooseAhead): Retriever {
  const chosen = new Map<RowId, readonly number[]>();
  const retrieve = ({ id }: Query): readonly number[] => {
    const indexes = chosen.get(id);
    if (indexes) return indexes;
    throw new RangeError(`row ${id} is asked about, but the retriever was not prepared for it`);
  };
  const prepare = async (
    queries: readonly Query[],
    { signal = new AbortController().signal }: WaitOptions = {},
  ): Promise<void> => {
    const choices = await choose(queries, { signal });
    for (const [index, { id }] of queries.entries()) {
      chosen.delete(id);
      chosen.set(id, choices[index] as readonly number[]);
    }
    for (const id of chosen.keys()) {
      if (chosen.size <= Math.max(maxKept, queries.length)) break;
      chosen.delete(id);
    }
  };
  return Object.assign(retrieve, { prepare });
}
