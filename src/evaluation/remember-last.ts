import type { Query, Retriever } from '../retrieve/retriever.ts';

/** A retriever that is asked several times about one row, and chooses once. */
export function rememberLast(retriever: Retriever): Retriever {
  let last: { readonly query: Query; readonly ids: readonly number[] } | undefined;
  const retrieve = (query: Query) => {
    if (last?.query.row !== query.row || last.query.position !== query.position) {
      last = { query, ids: retriever(query) };
    }
    return last.ids;
  };
  return Object.assign(retrieve, { prepare: retriever.prepare });
}
