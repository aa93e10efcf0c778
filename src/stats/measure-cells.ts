import { ClusterCellTally, ClusterScoreTally, ClusterSumTally } from './cluster-tallies.ts';
import { defaultLevel, type Estimate, hasInterval, type Measurement } from './estimate.ts';
import { meanOfScores } from './mean-estimate.ts';
import { type CellMeasure, CellTally, SumTally } from './tallies.ts';

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

/** How what rows hold adds up to a score: as cells that are counted, or as sums of numbers. */
export type RowMeasure =
  | { readonly type: 'cells'; readonly measure: CellMeasure }
  /** Cells are lists of numbers in JSON. */
  | { readonly type: 'sums'; readonly measure: (sums: ArrayLike<number>) => number };

/** The measure of cells that are scores. */
export const meanOfRows = { type: 'cells', measure: meanOfCells } as const satisfies RowMeasure;

interface RowOptions {
  readonly level?: number | undefined;
  /** Where rows come in clusters: that of each cell. */
  readonly clusters?: readonly string[] | undefined;
}

/** A share with its interval: that of the mean where cells are scores, else by resampling; by clusters where there are any. */
export function measureCells(
  cells: Iterable<string>,
  { level, clusters, ...measure }: RowMeasure & RowOptions,
): Measurement | undefined {
  const options = { level, clusters };
  if (measure.type === 'sums') return measureSums(cells, measure.measure, options);
  if (measure.measure === meanOfCells) return measureMean(cells, options);
  const bootstrap = { seed, level };
  if (!clusters) {
    const table = new CellTally();
    for (const cell of cells) table.add(cell);
    return table.estimate(measure.measure, bootstrap);
  }
  const table = new ClusterCellTally();
  for (const [place, cell] of [...cells].entries()) table.add(cell, clusters[place] ?? '');
  return table.estimate(measure.measure, { ...bootstrap, range: shares });
}

/** A share as it is known: anything it can be where there is too little to say. */
export function withinShares(found: Measurement, level = defaultLevel): Estimate {
  if (hasInterval(found)) return found;
  return { value: found.value, low: 0, high: 1, level, method: 'bounded' };
}

const shares = [0, 1] as const;
const seed = 0;

function measureMean(
  cells: Iterable<string>,
  { level, clusters }: RowOptions,
): Measurement | undefined {
  const scores = Array.from(cells, Number);
  if (!clusters) return meanOfScores(scores, { level });
  const means = new ClusterScoreTally(shares);
  for (const [place, score] of scores.entries()) means.add(score, clusters[place] ?? '');
  return means.estimate({ level });
}

function measureSums(
  cells: Iterable<string>,
  measure: (sums: ArrayLike<number>) => number,
  { level, clusters }: RowOptions,
): Measurement | undefined {
  const sums = clusters ? new ClusterSumTally(seed) : new SumTally(seed);
  let place = 0;
  for (const cell of cells) {
    sums.add(clusters?.[place] ?? String(place), JSON.parse(cell));
    place += 1;
  }
  return sums.estimate(measure, { level, range: shares });
}
