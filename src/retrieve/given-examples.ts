import { type ConfigPath, DataError, formatPath } from '../errors.ts';
import type { RowId } from '../prompt/origin.ts';
import type { Pool } from './pool.ts';
import type { RetrieveFunction, Retriever } from './retriever.ts';

/** The same examples for every row. */
export function fixedRetriever(
  indexes: readonly number[],
  poolSize: number,
  path: ConfigPath,
): Retriever {
  for (const [position, index] of indexes.entries()) {
    if (Number.isInteger(index) && index >= 0 && index < poolSize) continue;
    throw new DataError(
      'retrieve.no_such_example',
      `${formatPath([...path, position])}: there is no example ${index}; the pool has ${poolSize} row${poolSize === 1 ? '' : 's'}`,
      {
        path: [...path, position],
        hint:
          poolSize === 0
            ? 'The train split is empty: check `train_split` and `train_range`.'
            : `Use numbers from 0 to ${poolSize - 1}.`,
      },
    );
  }
  const frozen = Object.freeze([...indexes]);
  return () => frozen;
}

/** A user's own choice: the function gets the row and the pool, and gives ids of rows in the pool. */
export function functionRetriever(pool: Pool, retrieve: RetrieveFunction): Retriever {
  const indexes = new Map<RowId, number>(pool.rows.map(({ id }, index) => [id, index]));
  const { path } = pool;
  return (query) => {
    const ids: unknown = retrieve({ id: query.id, row: query.row }, pool.rowsFor(query));
    if (!Array.isArray(ids)) throw notIds(path, 'the function did not return a list of ids');
    return ids.map((id: RowId) => {
      const index = indexes.get(id);
      if (index !== undefined) return index;
      throw notIds(
        path,
        `the function gives ${id} for row ${query.id}, which is not an id of the pool`,
      );
    });
  };
}

function notIds(path: ConfigPath, problem: string): DataError {
  return new DataError('retrieve.no_such_example', `${formatPath(path)}: ${problem}`, {
    path,
    hint: 'Return ids of rows in the pool, such as `[pool[0].id]`.',
  });
}
