import { entriesOf, isMapping } from './mapping.ts';
import { Float } from './values.ts';

/** The value as JSON has it: objects for Maps, numbers for floats and big integers. */
export function toPlain(value: unknown): unknown {
  if (value instanceof Float) return value.value;
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isMapping(value)) return value;
  return Object.fromEntries(entriesOf(value).map(([key, item]) => [String(key), toPlain(item)]));
}
