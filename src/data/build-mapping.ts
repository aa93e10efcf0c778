import type { Mapping } from '../prompt/mapping.ts';
import { Float } from '../prompt/values.ts';

/**
 * A mapping as a plain object, or as a Map where an object would change the order or the type of
 * its keys.
 */
export function buildMapping(entries: readonly (readonly [unknown, unknown])[]): Mapping {
  const isPlain = entries.every(([key]) => typeof key === 'string' && !isSpecialKey(key));
  return isPlain ? Object.fromEntries(entries) : new Map(entries);
}

/** Tells whether an object would move this key to the front, or not hold it as data. */
function isSpecialKey(key: string): boolean {
  return key === '__proto__' || /^(?:0|[1-9]\d*)$/.test(key);
}

export function buildInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function buildFloat(value: number): number | Float {
  return Number.isInteger(value) ? new Float(value) : value;
}
