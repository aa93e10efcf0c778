import { Float, type Row } from '../../prompt/values.ts';

/** Marks what JSON has no word for; columns of such a name are very unlikely, and hashes would tell. */
const mark = '\u{F0000}';

/** A row as one line of text. */
export function packRow(id: number, row: Row): string {
  return JSON.stringify([id, pack(row)]);
}

export function unpackRow(line: string): { readonly id: number; readonly row: Row } {
  const [id, row] = JSON.parse(line) as [number, unknown];
  return { id, row: unpack(row) as Row };
}

/** Any value of configs and rows as text; functions are left out. */
export function packValue(value: unknown): string {
  return JSON.stringify(pack(value));
}

export function unpackValue(text: string): unknown {
  return unpack(JSON.parse(text));
}

/** Whether what is unpacked is what was packed: functions and values of other classes are not. */
export function isPackable(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return !/^(?:undefined|function|symbol)$/.test(typeof value);
  if (value instanceof Float || value instanceof Uint8Array) return true;
  if (Array.isArray(value)) return value.every(isPackable);
  if (value instanceof Map) return [...value].every((entry) => entry.every(isPackable));
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPackable)
  );
}

function pack(value: unknown): unknown {
  if (typeof value === 'bigint') return { [mark]: 'integer', is: String(value) };
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { [mark]: 'number', is: Object.is(value, -0) ? '-0' : String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float) return { [mark]: 'float', is: value.value };
  if (Array.isArray(value)) return value.map(pack);
  if (value instanceof Map)
    return { [mark]: 'map', is: [...value].map(([key, item]) => [pack(key), pack(item)]) };
  if (value instanceof Uint8Array)
    return { [mark]: 'bytes', is: Buffer.from(value).toString('base64') };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item)]));
}

function unpack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unpack);
  if (mark in value && 'is' in value) return unpackMarked(String(value[mark]), value.is);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
}

function unpackMarked(type: string, is: unknown): unknown {
  switch (type) {
    case 'integer':
      return BigInt(String(is));
    case 'number':
      return Number(is);
    case 'float':
      return new Float(Number(is));
    case 'bytes':
      return Uint8Array.from(atob(String(is)), (character) => character.charCodeAt(0));
    default:
      return new Map(
        (is as [unknown, unknown][]).map(([key, item]) => [unpack(key), unpack(item)]),
      );
  }
}
