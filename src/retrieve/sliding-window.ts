import { type ConfigPath, DataError, formatPath } from '../errors.ts';
import type { Pool } from './pool.ts';
import type { Query, Retriever } from './retriever.ts';

export interface WindowSettings {
  readonly pool: Pool;
  /** How many rows the window holds. */
  readonly size: number;
}

/**
 * The rows of the pool that stand just before the row, the nearest one last. Before the first row
 * stands the last one. The position of a row that is not in the pool is its id.
 */
export function slidingWindowRetriever({ pool, size }: WindowSettings): Retriever {
  pool.require(size);
  return (query) => {
    const { members, own } = pool.choicesFor(query, size);
    const position = own.find((index) => pool.rows[index]?.id === query.id) ?? own[0];
    const window: number[] = [];
    let next = countBelow(members, position ?? idAsIndex(query, pool.path) % pool.rows.length);
    while (window.length < size) {
      next = next === 0 ? members.length - 1 : next - 1;
      const index = members[next] as number;
      if (!own.includes(index)) window.unshift(index);
    }
    return window;
  };
}

function countBelow(ascending: Int32Array, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function idAsIndex({ id }: Query, path: ConfigPath): number {
  const position = Number(id);
  if (Number.isInteger(position) && position >= 0) return position;
  throw new DataError(
    'retrieve.no_place',
    `${formatPath(path)}: the id \`${id}\` is not a row number, so nothing stands before the row`,
    { path, hint: 'Number the rows from 0, or use another retriever.' },
  );
}
