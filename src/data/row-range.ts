import { DataError } from '../errors.ts';
import { Float, formatValue } from '../prompt/index.ts';

/** Which rows of a split are used: slices as text, a count, or a share. */
export type RowRange = string | number | Float;

/** The numbers of the rows that a range keeps; counts and shares take the first rows. */
export function selectRange(total: number, range: RowRange | undefined): number[] {
  const rows = Array.from({ length: total }, (_, index) => index);
  if (range === undefined) return rows;
  if (typeof range === 'string') return sliceRows(rows, range);
  const value = range instanceof Float ? range.value : range;
  if (value > 0 && value < 1) return rows.slice(0, Math.ceil(value * total));
  if (Number.isInteger(value) && value >= 1) return rows.slice(0, value);
  throw new DataError(
    'data.bad_range',
    `${formatValue(range)} is neither a count nor a share of rows`,
    {
      hint: "Give a whole number of rows, a share between 0 and 1, or slices such as '[10:20]'.",
    },
  );
}

const wholeNumber = '[+-]?\\s*(?:0+|[1-9](?:_?\\d)*)';
const bound = `\\s*(${wholeNumber}|None|)\\s*`;
const slice = new RegExp(`\\s*\\[${bound}:${bound}(?::${bound})?\\]\\s*`, 'y');

/** Applies Python slices one after the other, such as `[10:20]` or `[:8][::2]`. */
export function sliceRows(rows: number[], range: string): number[] {
  if (range.trim() === '') return rows;
  let kept = rows;
  slice.lastIndex = 0;
  while (slice.lastIndex < range.length) {
    const start = slice.lastIndex;
    const match = slice.exec(range);
    if (match === null) throw badSlice(range, start);
    const [from, to, step] = match.slice(1).map(readBound);
    if (step === 0) throw badSlice(range, start);
    kept = takeSlice(kept, { from, to, step: step ?? 1 });
  }
  return kept;
}

function readBound(text: string | undefined): number | undefined {
  if (text === undefined || text === '' || text === 'None') return undefined;
  return Number(text.replace(/[\s_]/g, ''));
}

interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number;
}

function takeSlice(items: readonly number[], { from, to, step }: Slice): number[] {
  const lowest = step > 0 ? 0 : -1;
  const highest = lowest + items.length;
  const place = (index: number) =>
    Math.min(Math.max(index < 0 ? index + items.length : index, lowest), highest);
  const [first, last] = step > 0 ? [lowest, highest] : [highest, lowest];
  const start = from === undefined ? first : place(from);
  const end = to === undefined ? last : place(to);
  const kept: number[] = [];
  for (let index = start; step > 0 ? index < end : index > end; index += step) {
    kept.push(items[index] as number);
  }
  return kept;
}

function badSlice(range: string, start: number): DataError {
  const rest = range.slice(start).trim();
  return new DataError('data.bad_range', `The range '${range}' has no slice at '${rest}'`, {
    hint: "Write slices of whole numbers with a step other than 0, such as '[10:20]' or '[:8][::2]'.",
  });
}
