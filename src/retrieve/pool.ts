import { hash } from 'node:crypto';
import { hintForName } from '../base/nearest-name.ts';
import { type ConfigPath, DataError, formatPath } from '../errors.ts';
import type { RowId } from '../prompt/origin.ts';
import type { NamedRow } from '../prompt/trace.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import { contentText } from './leak.ts';
import type { Query } from './retriever.ts';

/** The rows that may serve as examples for a query. */
export interface Choices {
  /** Indexes into the pool, in ascending order. The row itself may be among them. */
  readonly members: Int32Array;
  /** The number of the members' group: `groupOf` says of any row which group it is in. */
  readonly group: number;
  /** Where in the pool the row itself stands, mostly nowhere. */
  readonly own: readonly number[];
}

export interface PoolSettings {
  readonly rows: readonly NamedRow[];
  /** Columns in which an example must match the row that is asked about. */
  readonly sameAs?: readonly string[] | undefined;
  /** A row may be its own example, as in the systems of compat modes. */
  readonly withOwn?: boolean | undefined;
  readonly path: ConfigPath;
}

/** The rows that examples come from, in groups of those that can serve the same rows. */
export class Pool {
  readonly rows: readonly NamedRow[];
  /** The group of each row. */
  readonly groupOf: Int32Array;
  readonly path: ConfigPath;
  readonly #sameAs: readonly string[];
  readonly #withOwn: boolean;
  readonly #groupNumbers = new Map<string, number>();
  readonly #members: Int32Array[];
  #indexesByContent: ReadonlyMap<string, readonly number[]> | undefined;

  constructor({ rows, sameAs = [], withOwn = false, path }: PoolSettings) {
    this.rows = rows;
    this.path = path;
    this.#sameAs = sameAs;
    this.#withOwn = withOwn;
    checkColumns(sameAs, rows, [...path, 'same_as']);
    const lists: number[][] = [];
    this.groupOf = Int32Array.from(rows, ({ row }, index) => {
      const key = this.#keyOf(row);
      const group = this.#groupNumbers.get(key) ?? lists.length;
      this.#groupNumbers.set(key, group);
      lists[group] ??= [];
      lists[group].push(index);
      return group;
    });
    this.#members = lists.map((list) => Int32Array.from(list));
  }

  /** Refuses a pool that can serve no row with so many examples. */
  require(wanted: number): void {
    const { length: available } = this.rows;
    if (available === 0) {
      throw emptyPool(
        this.path,
        'The train split is empty: check `train_split` and `train_range`.',
      );
    }
    if (available < wanted) throw poolTooSmall({ wanted, available, path: this.path });
  }

  /** The rows that `wanted` examples of a query can be chosen from, itself left aside. */
  choicesFor(query: Query, wanted: number): Choices {
    const group = this.#groupNumbers.get(this.#keyOf(query.row)) ?? -1;
    const members = this.#members[group] ?? new Int32Array();
    const own = this.#indexesOf(query.own ?? query.row);
    const available = members.length - own.length;
    if (available < wanted) {
      throw poolTooSmall({ wanted, available, path: this.path, id: query.id });
    }
    return { members, group, own };
  }

  /** The rows that can serve a query, itself included. */
  rowsFor(query: Query): readonly NamedRow[] {
    if (this.#sameAs.length === 0) return this.rows;
    return [...this.choicesFor(query, 0).members].map((index) => this.rows[index] as NamedRow);
  }

  /** How often the row that stands most often in the pool does so. */
  get maxCopies(): number {
    let max = 1;
    for (const indexes of this.#allIndexes().values()) max = Math.max(max, indexes.length);
    return max;
  }

  #keyOf(row: Row): string {
    return this.#sameAs.length === 0
      ? ''
      : formatValue(this.#sameAs.map((column) => row[column] ?? null));
  }

  #indexesOf(row: Row): readonly number[] {
    if (this.#withOwn) return [];
    return this.#allIndexes().get(contentKey(row)) ?? [];
  }

  #allIndexes(): ReadonlyMap<string, readonly number[]> {
    this.#indexesByContent ??= indexesByContent(this.rows);
    return this.#indexesByContent;
  }
}

function indexesByContent(rows: readonly NamedRow[]): ReadonlyMap<string, readonly number[]> {
  const indexes = new Map<string, number[]>();
  for (const [index, { row }] of rows.entries()) {
    const key = contentKey(row);
    const known = indexes.get(key);
    if (known) known.push(index);
    else indexes.set(key, [index]);
  }
  return indexes;
}

/** Refuses columns that no row has. */
export function checkColumns(
  columns: Iterable<string>,
  rows: readonly NamedRow[],
  path: ConfigPath,
): void {
  for (const column of columns) {
    if (rows.length === 0 || rows.some(({ row }) => Object.hasOwn(row, column))) continue;
    throw unknownColumn(column, Object.keys(rows[0]?.row ?? {}), path);
  }
}

/** The same as {@link contentText}, and short. */
function contentKey(row: Row): string {
  return hash('sha1', contentText(row), 'base64');
}

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
    { path, hint: 'Use fewer examples, loosen `where` and `same_as`, or provide more rows.' },
  );
}

export function emptyPool(path: ConfigPath, hint: string): DataError {
  return new DataError(
    'retrieve.empty_pool',
    `${formatPath(path)}: there are no rows to use as examples`,
    { path, hint },
  );
}

function unknownColumn(column: string, columns: readonly string[], path: ConfigPath): DataError {
  return new DataError(
    'data.unknown_column',
    `${formatPath(path)}: no row of the pool has a column \`${column}\``,
    { path, hint: hintForName(column, { names: columns, kind: 'Columns' }) },
  );
}
