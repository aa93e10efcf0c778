import { bootstrapTable } from './bootstrap-table.ts';
import { ClusterCellTally, ClusterScoreTally } from './cluster-tallies.ts';
import { type Estimate, hasInterval } from './estimate.ts';
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

export interface CellOptions {
  readonly measure: CellMeasure;
  readonly level?: number | undefined;
  /** Where rows come in clusters: that of each cell. */
  readonly clusters?: readonly string[] | undefined;
}

/** A score with its interval: by clusters where there are any, Wilson's for a rate, else by resampling. */
export function estimateCells(
  cells: Iterable<string>,
  { measure, level, clusters }: CellOptions,
): Estimate | undefined {
  if (clusters) return estimateClusters(cells, { measure, level, clusters });
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

const shares = [0, 1] as const;

/** Nothing without an interval: of one cluster. */
function estimateClusters(
  cells: Iterable<string>,
  { measure, level, clusters }: CellOptions & { readonly clusters: readonly string[] },
): Estimate | undefined {
  const means = new ClusterScoreTally(shares);
  const table = new ClusterCellTally();
  let place = 0;
  for (const cell of cells) {
    const cluster = clusters[place++] ?? '';
    if (measure === meanOfCells) means.add(Number(cell), cluster);
    else table.add(cell, cluster);
  }
  const found =
    measure === meanOfCells
      ? means.estimate({ level })
      : table.estimate(measure, { seed: 0, level, range: shares });
  return hasInterval(found) ? found : undefined;
}
