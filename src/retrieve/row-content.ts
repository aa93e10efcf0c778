import { hash } from 'node:crypto';
import { formatValue, type Row } from '../prompt/values.ts';

/** A short text that equal rows share, whatever the order of their columns. */
export function contentKey(row: Row): string {
  const columns = Object.keys(row).sort();
  return hash('sha1', formatValue(columns.map((column) => [column, row[column]])), 'base64');
}
