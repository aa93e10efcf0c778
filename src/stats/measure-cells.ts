import { ClusterCellTally, ClusterScoreTally } from './cluster-tallies.ts';
import { defaultLevel, type Estimate, hasInterval, type Measurement } from './estimate.ts';
import { meanOfScores } from './mean-estimate.ts';
import { type CellMeasure, CellTally } from './tallies.ts';

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

/** A share with its interval: that of the mean where cells are scores, else by resampling; by clusters where there are any. */
export function measureCells(
  cells: Iterable<string>,
  options: CellOptions,
): Measurement | undefined {
  return options.clusters ? measureClusters(cells, options) : measureRows(cells, options);
}

/** A share as it is known: anything it can be where there is too little to say. */
export function withinShares(found: Measurement, level = defaultLevel): Estimate {
  if (hasInterval(found)) return found;
  return { value: found.value, low: 0, high: 1, level, method: 'bounded' };
}

function measureRows(
  cells: Iterable<string>,
  { measure, level }: CellOptions,
): Measurement | undefined {
  if (measure === meanOfCells) return meanOfScores(Array.from(cells, Number), { level });
  const table = new CellTally();
  for (const cell of cells) table.add(cell);
  return table.estimate(measure, { seed: 0, level });
}

const shares = [0, 1] as const;

function measureClusters(
  cells: Iterable<string>,
  { measure, level, clusters = [] }: CellOptions,
): Measurement | undefined {
  const means = new ClusterScoreTally(shares);
  const table = new ClusterCellTally();
  let place = 0;
  for (const cell of cells) {
    const cluster = clusters[place++] ?? '';
    if (measure === meanOfCells) means.add(Number(cell), cluster);
    else table.add(cell, cluster);
  }
  return measure === meanOfCells
    ? means.estimate({ level })
    : table.estimate(measure, { seed: 0, level, range: shares });
}
