import { bootstrapTable } from './bootstrap-table.ts';
import type { Estimate } from './estimate.ts';
import type { CellMeasure } from './tallies.ts';
import { wilson } from './wilson.ts';

/** The mean of cells that are numbers. */
export function meanOfCells(cells: readonly string[]): (counts: ArrayLike<number>) => number {
  const values = cells.map(Number);
  return (counts) => {
    let sum = 0;
    let size = 0;
    values.forEach((value, index) => {
      sum += value * (counts[index] ?? 0);
      size += counts[index] ?? 0;
    });
    return sum / size;
  };
}

/** A score with its interval: Wilson's for a rate, else by resampling. */
export function estimateCells(
  cells: Iterable<string>,
  { measure, level }: { readonly measure: CellMeasure; readonly level?: number | undefined },
): Estimate | undefined {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const names = [...counts.keys()].sort();
  const table = names.map((name) => counts.get(name) ?? 0);
  if (names.every((name) => name === '0' || name === '1')) {
    const size = table.reduce((sum, count) => sum + count, 0);
    return wilson(counts.get('1') ?? 0, size, level);
  }
  return bootstrapTable(table, measure(names), { seed: 0, level });
}
