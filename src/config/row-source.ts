import * as z from 'zod';
import { describeType, entriesOf, isMapping, type Mapping } from '../prompt/mapping.ts';
import { Float, type Row } from '../prompt/values.ts';
import type { RowSource } from './config.ts';
import { editorMapping, editorRecord, editorText, forEditors } from './editor-schema.ts';

type RowInput = Row | ReadonlyMap<string, unknown>;
type RowsInput = readonly RowInput[] | Readonly<Record<string, readonly RowInput[]>>;

/** Schema of `path`: one file, or one for each split. */
export const rowFiles = forEditors(
  z.custom<string | Readonly<Record<string, string>>>(
    (value) => typeof value === 'string' || isMapping(value),
    { error: 'a path, or a mapping of split name to path' },
  ),
  { anyOf: [editorText, editorRecord(editorText)] },
).transform((value, context): RowSource => {
  if (typeof value === 'string') return { type: 'file', path: value };
  const paths = mapSplits(value, (path, split) => {
    if (typeof path !== 'string')
      refuse(context, { path: [split], value: path, expected: 'a path' });
    return path as string;
  });
  return { type: 'files', paths };
});

const editorRows = { type: 'array', items: { ...editorMapping, tsType: 'object' } };

/** Schema of `rows`: one list, or one for each split. */
export const inlineRows = forEditors(
  z.custom<RowsInput>((value) => Array.isArray(value) || isMapping(value), {
    error: 'a list of rows, or a mapping of split name to rows',
  }),
  { anyOf: [editorRows, editorRecord(editorRows)] },
).transform((value, context): RowSource => {
  if (Array.isArray(value)) return { type: 'inline', rows: readRows(value, [], context) };
  const splits = mapSplits(value as Mapping, (rows, split) => {
    if (Array.isArray(rows)) return readRows(rows, [split], context);
    refuse(context, { path: [split], value: rows, expected: 'a list of rows' });
    return [];
  });
  return { type: 'inline-splits', splits };
});

function mapSplits<Value>(
  splits: Mapping,
  read: (value: unknown, split: string) => Value,
): Readonly<Record<string, Value>> {
  const entries = entriesOf(splits).map(([key, value]) => [String(key), value] as const);
  return Object.fromEntries(entries.map(([split, value]) => [split, read(value, split)]));
}

function readRows(rows: readonly unknown[], path: string[], context: z.RefinementCtx): Row[] {
  return rows.map((row, index) => {
    if (isMapping(row) && entriesOf(row).every(([column]) => typeof column === 'string')) {
      const values = entriesOf(row).map(([column, value]) => {
        const at = [...path, index, String(column)];
        return [column, readValue(value, (found) => refuse(context, { ...found, path: at }))];
      });
      return Object.fromEntries(values);
    }
    const expected = 'a mapping of column name to value';
    refuse(context, { path: [...path, index], value: row, expected });
    return {};
  });
}

const expectedValue = 'text, a number, true, false, null, a date, a list or a mapping';

/** A value as a data file would have it: dates are text, as in Parquet files. */
function readValue(value: unknown, refuseValue: (found: Omit<Refusal, 'path'>) => void): unknown {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => readValue(item, refuseValue));
  const isOther = typeof value === 'function' || typeof value === 'symbol';
  if (typeof value !== 'object' || value === null || value instanceof Float) {
    if (isOther) refuseValue({ value, expected: expectedValue });
    return value;
  }
  if (!isMapping(value) || !isPlain(value)) {
    refuseValue({ value, expected: expectedValue });
    return null;
  }
  const entries = entriesOf(value).map(
    ([key, item]) => [key, readValue(item, refuseValue)] as const,
  );
  return value instanceof Map ? new Map(entries) : Object.fromEntries(entries);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return value instanceof Map || prototype === null || Object.getPrototypeOf(prototype) === null;
}

interface Refusal {
  readonly path: (string | number)[];
  readonly value: unknown;
  readonly expected: string;
}

function refuse(context: z.RefinementCtx, { path, value, expected }: Refusal): void {
  const message = `must be ${expected}, not ${describeType(value)}`;
  context.addIssue({ code: 'custom', path, message, params: { code: 'config.wrong_type' } });
}
