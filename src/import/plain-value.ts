import { Float } from '../prompt/values.ts';
import { plainText } from '../python/traced-text.ts';
import { isText, PyDict, PyTuple, type PyValue } from '../python/values.ts';
import { PyReference } from './python/objects.ts';

export type Plain = Readonly<Record<string, unknown>>;

/** A value of a Python config in the form that configs have here. */
export function toPlain(value: PyValue): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Float) return value;
  if (isText(value)) return plainText(value);
  if (value instanceof PyDict) {
    const entries = value.entries().map(([key, item]) => [toPlain(key), toPlain(item)] as const);
    return fromEntries(entries);
  }
  if (Array.isArray(value)) return (value as PyValue[]).map(toPlain);
  if (value instanceof PyTuple) return value.items.map(toPlain);
  return value instanceof PyReference ? value.dotted : undefined;
}

/** A mapping; keys that are no texts, such as numbers as labels, stay what they are. */
export function fromEntries(entries: readonly (readonly [unknown, unknown])[]): unknown {
  const isPlain = entries.every(([key]) => typeof key === 'string');
  return isPlain ? Object.fromEntries(entries as [string, unknown][]) : new Map(entries);
}

export function asPlain(value: unknown): Plain | undefined {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMapping && !(value instanceof Float) && !(value instanceof Map)
    ? (value as Plain)
    : undefined;
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
