import { textHash } from '../evaluation/key.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import type { RowRecord } from './store/row-record.ts';

/** Longer values are hashed. */
const longestName = 32;

/**
 * What stands for the cluster of a row: the value of its column, or a hash of it; nothing if the
 * data names no column. Two rows are of one cluster if it is the same.
 */
export function clusterOf(row: Row, column: string | undefined): string | undefined {
  if (column === undefined) return undefined;
  const value = row[column];
  const text = value === undefined || value === null ? '' : formatValue(value);
  if (text === '') return undefined;
  return text.length <= longestName && !text.startsWith('#') ? text : `#${textHash(text)}`;
}

/** The same as a record has it. A row without a value is a cluster of its own. */
export function clusterOfRecord({ cluster, id }: Pick<RowRecord, 'cluster' | 'id'>): string {
  return cluster ?? `#row ${id}`;
}
