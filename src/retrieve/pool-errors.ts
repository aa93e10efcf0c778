import { nearestName } from '../base/nearest-name.ts';
import { type ConfigPath, DataError, formatPath } from '../errors.ts';
import type { RowId } from '../prompt/origin.ts';

interface Shortage {
  readonly wanted: number;
  readonly available: number;
  readonly path: ConfigPath;
  /** The row that cannot be served; left out when none can. */
  readonly id?: RowId | undefined;
}

export function poolTooSmall({ wanted, available, path, id }: Shortage): DataError {
  const rows = `${available} row${available === 1 ? '' : 's'}`;
  const whose = id === undefined ? 'the pool has' : `row ${id} can have`;
  return new DataError(
    'retrieve.pool_too_small',
    `${formatPath(path)}: ${wanted} example${wanted === 1 ? ' is' : 's are'} wanted, but ${whose} only ${rows}`,
    { path, hint: 'Ask for fewer examples, loosen `where` and `same_as`, or give more rows.' },
  );
}

export function emptyPool(path: ConfigPath, hint: string): DataError {
  return new DataError(
    'retrieve.empty_pool',
    `${formatPath(path)}: there are no rows that could serve as examples`,
    { path, hint },
  );
}

export function unknownColumn(
  column: string,
  known: Iterable<string>,
  path: ConfigPath,
): DataError {
  const columns = [...known];
  const near = nearestName(column, columns);
  return new DataError(
    'data.unknown_column',
    `${formatPath(path)}: no row of the pool has a column \`${column}\``,
    {
      path,
      hint: `${near ? `Did you mean \`${near}\`? ` : ''}Columns: ${columns.join(', ')}.`,
    },
  );
}
