import { Float } from '../../prompt/values.ts';

/** A value in a form that threads can hand over. Rows hold no sets: one stands for a float. */
export function pack(value: unknown): unknown {
  return value instanceof Float ? new Set([value.value]) : mapParts(value, pack);
}

/** The value that was packed. */
export function unpack(value: unknown): unknown {
  if (!(value instanceof Set)) return mapParts(value, unpack);
  const [number] = value;
  return new Float(number);
}

function mapParts(value: unknown, map: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (value instanceof Map) return new Map(Array.from(value, ([key, part]) => [key, map(part)]));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, map(part)]));
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
