import { Float } from '../../prompt/values.ts';

/** A value that would be another one in another process, as functions and instances of classes. */
export class BoundValue extends Error {}

/**
 * A value in a form that processes can hand over; fails with `BoundValue`. Rows hold no sets: one
 * stands for a float.
 */
export function pack(value: unknown): unknown {
  if (value instanceof Float) return new Set([value.value]);
  if (!isHandedOver(value)) throw new BoundValue('a value that belongs to one process');
  return mapParts(value, pack);
}

function isHandedOver(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value) || value instanceof Map || ArrayBuffer.isView(value)) return true;
  return isPlain(value);
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
