import { DataError } from '../errors.ts';
import { Float, formatValue } from '../prompt/values.ts';

/** Which rows of a split are used: slices as text, a count, or a share. */
export type RowRange = string | number | Float;

/** Row numbers at equal distances; `count` is Infinity where only the end of the data ends it. */
export interface Progression {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

/** The numbers of the rows that a range keeps; counts and shares take the first rows. */
export function selectRange(total: number, range: RowRange | undefined): number[] {
  return range === undefined ? listNumbers(allRows(total)) : listNumbers(spanOf(range, total));
}

/** The rows that a range keeps of `total`, without listing them. */
export function spanOf(range: RowRange, total: number): Progression {
  if (typeof range === 'string') return parseSlices(range).reduce(takeSlice, allRows(total));
  const value = range instanceof Float ? range.value : range;
  if (isShare(value)) return allRows(Math.ceil(value * total));
  if (Number.isInteger(value) && value >= 1) return allRows(Math.min(value, total));
  throw new DataError(
    'data.bad_range',
    `${formatValue(range)} is neither a count nor a share of rows`,
    {
      hint: "Use a whole number of rows, a share between 0 and 1, or slices such as '[10:20]'.",
    },
  );
}

/** Tells whether a range depends on how many rows there are: it counts from the end, or a share. */
export function needsTotal(range: RowRange): boolean {
  if (typeof range !== 'string') return isShare(range instanceof Float ? range.value : range);
  return parseSlices(range).some(({ from = 0, to = 0, step }) => from < 0 || to < 0 || step < 0);
}

function isShare(value: number): boolean {
  return value > 0 && value < 1;
}

function allRows(count: number): Progression {
  return { start: 0, step: 1, count };
}

function listNumbers({ start, step, count }: Progression): number[] {
  return Array.from({ length: count }, (_, index) => start + index * step);
}

const wholeNumber = '[+-]?\\s*(?:0+|[1-9](?:_?\\d)*)';
const bound = `\\s*(${wholeNumber}|None|)\\s*`;
const slice = new RegExp(`\\s*\\[${bound}:${bound}(?::${bound})?\\]\\s*`, 'y');

/** Applies Python slices one after the other, such as `[10:20]` or `[:8][::2]`. */
export function sliceRows(rows: number[], range: string): number[] {
  return listNumbers(spanOf(range, rows.length)).map((index) => rows[index] as number);
}

interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number;
}

function parseSlices(range: string): Slice[] {
  if (range.trim() === '') return [];
  const slices: Slice[] = [];
  slice.lastIndex = 0;
  while (slice.lastIndex < range.length) {
    const start = slice.lastIndex;
    const match = slice.exec(range);
    if (match === null) throw badSlice(range, start);
    const [from, to, step = 1] = match.slice(1).map(readBound);
    if (step === 0) throw badSlice(range, start);
    slices.push({ from, to, step });
  }
  return slices;
}

function readBound(text: string | undefined): number | undefined {
  if (text === undefined || text === '' || text === 'None') return undefined;
  const value = Number(text.replace(/[\s_]/g, ''));
  // No data has more rows, and arithmetic with infinite steps would not end well.
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
}

function takeSlice(rows: Progression, { from, to, step }: Slice): Progression {
  const lowest = step > 0 ? 0 : -1;
  const highest = lowest + rows.count;
  const clamp = (index: number) =>
    Math.min(Math.max(index < 0 ? index + rows.count : index, lowest), highest);
  const [first, last] = step > 0 ? [lowest, highest] : [highest, lowest];
  const start = from === undefined ? first : clamp(from);
  const end = to === undefined ? last : clamp(to);
  return {
    start: rows.start + start * rows.step,
    step: rows.step * step,
    count: Math.max(0, Math.ceil((end - start) / step)),
  };
}

function badSlice(range: string, start: number): DataError {
  const rest = range.slice(start).trim();
  return new DataError('data.bad_range', `The range '${range}' has no slice at '${rest}'`, {
    hint: "Write slices of whole numbers with a step other than 0, such as '[10:20]' or '[:8][::2]'.",
  });
}
