import { Float } from '../prompt/values.ts';
import { pyStr } from '../python/repr.ts';
import { plainText } from '../python/traced-text.ts';
import { isText, PyDict, PyTuple, type PyValue } from '../python/values.ts';
import { PyReference } from './python/objects.ts';

export type Plain = Readonly<Record<string, unknown>>;

/** A value of a Python config in the form that configs have here. */
export function toPlain(value: PyValue): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Float) return value;
  if (isText(value)) return plainText(value);
  if (value instanceof PyDict) {
    return Object.fromEntries(value.entries().map(([key, item]) => [pyStr(key), toPlain(item)]));
  }
  if (Array.isArray(value)) return (value as PyValue[]).map(toPlain);
  if (value instanceof PyTuple) return value.items.map(toPlain);
  return value instanceof PyReference ? value.dotted : undefined;
}

export function asPlain(value: unknown): Plain | undefined {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMapping && !(value instanceof Float) ? (value as Plain) : undefined;
}

/** The last part of a dotted name. */
export function lastName(value: unknown): string {
  return typeof value === 'string' ? value.slice(value.lastIndexOf('.') + 1) : '';
}

/** Only these keys, those that are there. */
export function pickKeys(value: Plain, keys: readonly string[]): Plain {
  return Object.fromEntries(
    keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]),
  );
}
