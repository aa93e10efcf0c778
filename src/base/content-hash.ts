import { hash } from 'node:crypto';

/** Hash of anything that can be written as JSON or as code, independent of the order of keys. */
export function contentHash(value: unknown): string {
  return hash('sha256', JSON.stringify(sortKeys(value)), 'hex').slice(0, 32);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value === 'bigint' || typeof value === 'function') return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Set) return [...value].map(sortKeys);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return entries
    .map(([key, item]) => [String(key), sortKeys(item)] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
