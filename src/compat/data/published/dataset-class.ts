import { DataError } from '../../../errors.ts';
import type { Row } from '../../../prompt/values.ts';
import { toPython } from '../../../python/convert.ts';
import { pyStr } from '../../../python/repr.ts';
import type { PublishedFiles } from './published-files.ts';

/** Settings that a config gives a dataset class, such as `name`. */
export type ClassSettings = Readonly<Record<string, unknown>>;

/** Rows of all splits alike, or of each. */
export type PublishedRows = readonly Row[] | Readonly<Record<string, readonly Row[]>>;

/** What a dataset class of OpenCompass or AISBench reads. */
export interface DatasetClass {
  /** Where its files are in the `data/` folder, if the config does not say it otherwise. */
  readonly at: string;
  /** The setting that names them, if it is not `path`. */
  readonly key?: string;
  /** Its settings beside `path`, which prompts and rows depend on. */
  readonly settings?: readonly string[];
  /** Its rows hold their images, in `content`, where the originals name files. */
  readonly holdsImages?: true;
  readonly read: (files: PublishedFiles, settings: ClassSettings) => Promise<PublishedRows>;
}

export type DatasetClasses = Readonly<Record<string, DatasetClass>>;

/** What Python's `str` gives; nothing where there is nothing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : pyStr(toPython(value ?? ''));
}

/** A member of a mapping, or of a list by its position. */
export function at(value: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null) return undefined;
    return inner instanceof Map ? inner.get(key) : (inner as Record<string | number, unknown>)[key];
  }, value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The entries of a mapping as JSON readers give it. */
export function membersOf(value: unknown): [string, unknown][] {
  if (value instanceof Map) return [...value].map(([key, item]) => [String(key), item]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** A mapping as JSON readers give it, as a row. */
export function rowOf(value: unknown): Row {
  return Object.fromEntries(membersOf(value));
}

/** A row without some of its columns. */
export function without(row: Row, ...columns: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));
}

/** A file of JSON lines whose rows are changed one by one. */
export function linesOf(
  path: string,
  change: (row: Row, index: number) => Row | undefined = (row) => row,
): DatasetClass {
  return {
    at: path,
    async read(files) {
      return (await files.rows()).flatMap((row, index): Row[] => {
        const changed = change(row, index);
        return changed ? [changed] : [];
      });
    },
  };
}

/** Rows that are asked several times. */
export function repeated(rows: readonly Row[], times: unknown): Row[] {
  const count = typeof times === 'number' ? times : 1;
  return Array.from({ length: count }, () => rows).flat();
}

/** The rows of each split, those that are there: what is not asked for need not be. */
export async function splitFiles(
  splits: readonly string[],
  read: (split: string) => Promise<readonly Row[]>,
): Promise<Readonly<Record<string, readonly Row[]>>> {
  const found: [string, readonly Row[]][] = [];
  let missing: DataError | undefined;
  for (const split of splits) {
    try {
      found.push([split, await read(split)]);
    } catch (error) {
      if (!(error instanceof DataError) || error.code !== 'data.not_found') throw error;
      missing ??= error;
    }
  }
  if (found.length === 0 && missing) throw missing;
  return Object.fromEntries(found);
}
