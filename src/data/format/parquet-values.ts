import { isUtf8 } from 'node:buffer';
import type { ParquetParsers, SchemaTree } from 'hyparquet';
import { buildFloat, buildInteger } from '../build-mapping.ts';

/** Dates and times become ISO 8601 text. */
export const parquetParsers: Partial<ParquetParsers> = {
  dateFromDays: (days) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  timestampFromMilliseconds: (milliseconds) => formatTime(milliseconds * 1_000_000n),
  timestampFromMicroseconds: (microseconds) => formatTime(microseconds * 1_000n),
  timestampFromNanoseconds: (nanoseconds) => formatTime(nanoseconds),
};

/** As many digits of the second as it takes, three at least. */
function formatTime(nanoseconds: bigint): string {
  const below = ((nanoseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const milliseconds = Number((nanoseconds - below) / 1_000_000n);
  const digits = below
    .toString()
    .padStart(6, '0')
    .replace(/(?:000)+$/, '');
  return new Date(milliseconds).toISOString().replace('Z', `${digits}Z`);
}

/** A value as rows hold it: whole floats as floats, integers beyond 2^53 as bigint. */
export function readParquetValue(value: unknown, column: SchemaTree): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return buildInteger(value);
  if (typeof value === 'number') return readNumber(value, column);
  if (value instanceof Uint8Array) return isUtf8(value) ? Buffer.from(value).toString() : value;
  if (Array.isArray(value)) {
    const item = itemOf(column);
    return value.map((element) => readParquetValue(element, item));
  }
  if (typeof value !== 'object' || column.children.length === 0) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      readParquetValue(member, memberOf(column, key)),
    ]),
  );
}

function readNumber(value: number, { element }: SchemaTree): unknown {
  if (element.converted_type === 'DECIMAL') {
    const scale = element.scale ?? 0;
    const rounded = Number(value.toFixed(scale));
    return scale === 0 ? rounded : buildFloat(rounded);
  }
  const isFloat = element.type === 'DOUBLE' || element.type === 'FLOAT';
  return isFloat || element.logical_type?.type === 'FLOAT16' ? buildFloat(value) : value;
}

/** Lists are written as a group with a repeated group with the items. */
function itemOf(list: SchemaTree): SchemaTree {
  const [repeated = list] = list.children;
  const [item] = repeated.children;
  return repeated.children.length === 1 && item ? item : repeated;
}

/** Maps are written as a group with a repeated group of key and value. */
function memberOf(group: SchemaTree, name: string): SchemaTree {
  const [first = group] = group.children;
  const isMap =
    group.element.converted_type === 'MAP' || group.element.logical_type?.type === 'MAP';
  if (isMap) return first.children[1] ?? group;
  return group.children.find((child) => child.element.name === name) ?? group;
}
