import { sliceRows } from '../../data/row-range.ts';
import { DataError } from '../../errors.ts';
import { Float, formatValue } from '../../prompt/values.ts';
import { CPythonRandom } from '../../python/random/cpython-random.ts';

export type OpencompassRange = string | number | Float | boolean | null | undefined;

/**
 * The numbers of the rows that OpenCompass keeps out of `total` for a `train_range` or
 * `test_range`: Python slices (`'[10:20]'`, `'[:8][::2]'`), a count of rows drawn at random, or a
 * share of them (`0.5`).
 */
export function opencompassRange(total: number, range: OpencompassRange): number[] {
  const rows = Array.from({ length: total }, (_, index) => index);
  if (range === null || range === undefined) return rows;
  if (typeof range === 'string') return sliceRows(rows, range);
  return drawRows(rows, range);
}

function drawRows(rows: number[], range: number | Float | boolean): number[] {
  const value = range instanceof Float ? range.value : Number(range);
  if (value <= 0 || value >= rows.length) return rows;
  const isFloat = range instanceof Float || !Number.isInteger(value);
  if (isFloat && !(value < 1)) {
    throw new DataError(
      'data.bad_range',
      `The range ${formatValue(range)} is neither a count nor a share of the ${rows.length} rows`,
      { hint: 'Give a whole number of rows, or a share between 0 and 1.' },
    );
  }
  const count = isFloat ? Math.trunc(value * rows.length) : value;
  new CPythonRandom(count).shuffle(rows);
  return rows.slice(0, count);
}
