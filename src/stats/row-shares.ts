import { meanOfCells, type RowMeasure } from './measure-cells.ts';
import type { CellMeasure } from './tallies.ts';

export interface RowShares {
  readonly value: number;
  /** One for each row; they add up to the value, but for the bias that the jackknife finds. */
  readonly shares: Float64Array;
}

/**
 * A score over rows, and what each row adds to it: for a mean its own score, for other measures its
 * pseudo-value (Tukey's jackknife), over the number of rows.
 */
export function rowShares(cells: readonly string[], measure: RowMeasure): RowShares {
  if (measure.type === 'sums') return sharesOfSums(cells.map(numbersOf), measure.measure);
  return measure.measure === meanOfCells
    ? sharesOfMean(cells.map(Number))
    : sharesOfCells(cells, measure.measure);
}

function sharesOfMean(scores: readonly number[]): RowShares {
  const { length } = scores;
  const value = scores.reduce((sum, score) => sum + score, 0) / length;
  return { value, shares: Float64Array.from(scores, (score) => score / length) };
}

function sharesOfCells(cells: readonly string[], measure: CellMeasure): RowShares {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const kinds = [...counts.keys()];
  const table = Float64Array.from(counts.values());
  const ofTable = measure(kinds);
  const value = ofTable(table);
  const sizes = new Map(
    kinds.map((kind, place) => {
      const count = table[place] ?? 0;
      table[place] = count - 1;
      const share = shareOf(value, ofTable(table), cells.length);
      table[place] = count;
      return [kind, share];
    }),
  );
  return { value, shares: Float64Array.from(cells, (cell) => sizes.get(cell) ?? 0) };
}

function sharesOfSums(
  rows: readonly (readonly number[])[],
  measure: (sums: ArrayLike<number>) => number,
): RowShares {
  const sums = new Float64Array(Math.max(0, ...new Set(rows.map(({ length }) => length))));
  for (const counts of rows) {
    for (const [place, count] of counts.entries()) sums[place] = (sums[place] ?? 0) + count;
  }
  const value = measure(sums);
  const shares = Float64Array.from(rows, (counts) => {
    const others = sums.map((sum, place) => sum - (counts[place] ?? 0));
    return shareOf(value, measure(others), rows.length);
  });
  return { value, shares };
}

/** A measure that has no value without the row says no more of it than of any other. */
function shareOf(value: number, without: number, rows: number): number {
  if (rows === 1) return value;
  const found = (value + (rows - 1) * (value - without)) / rows;
  return Number.isFinite(found) ? found : value / rows;
}

function numbersOf(cell: string): readonly number[] {
  return JSON.parse(cell);
}
