import { Float } from './values.ts';

/** Configs hold mappings as plain objects, or as Maps where key order or key type would be lost. */
export type Mapping = Readonly<Record<string, unknown>> | ReadonlyMap<unknown, unknown>;

export function isMapping(value: unknown): value is Mapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (value instanceof Map) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function entriesOf(mapping: Mapping): [unknown, unknown][] {
  return mapping instanceof Map ? [...mapping] : Object.entries(mapping);
}

export function getKey(mapping: Mapping, key: string): unknown {
  if (mapping instanceof Map) return mapping.get(key);
  return Object.hasOwn(mapping, key) ? (mapping as Record<string, unknown>)[key] : undefined;
}

/** How a value is named in messages: `a list`, `a string`, `null` … */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isMapping(value)) return 'a mapping';
  switch (typeof value) {
    case 'string':
      return 'a string';
    case 'number':
    case 'bigint':
      return 'a number';
    case 'object':
      return value instanceof Float ? 'a number' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}

/** The value as JSON has it: objects for Maps, numbers for floats and big integers. */
export function toPlain(value: unknown): unknown {
  if (value instanceof Float) return value.value;
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isMapping(value)) return value;
  return Object.fromEntries(entriesOf(value).map(([key, item]) => [String(key), toPlain(item)]));
}
