import { defaultLevel, type Estimate } from '../../stats/estimate.ts';
import { normalReach, normalShareAbove } from '../../stats/normal.ts';
import { permutationTest } from '../../stats/permutation.ts';
import { pairedShares, type Share } from './paired-shares.ts';
import type { BoardCell, RankedModel } from './rank-models.ts';

/** Two models, the first of which is ahead on the rows that both have. */
export interface ModelComparison {
  readonly better: RankedModel;
  readonly worse: RankedModel;
  /** How far their averages lie apart, on the rows that both have where these are known. */
  readonly difference: Estimate;
  readonly p: number;
  /** Whether no row, or where rows are not known no task, tells them apart. */
  readonly isSame: boolean;
  readonly tasks: readonly TaskDifference[];
}

export interface TaskDifference {
  readonly task: string;
  readonly value: number;
  /** The rows that both have; nothing where results do not say how rows ended. */
  readonly pairs: number | undefined;
  /** Rows that only one of the two was asked. */
  readonly unpaired: number;
}

interface Difference extends TaskDifference {
  readonly variance: number;
  /** What rows add to the difference, where they pair. */
  readonly shares: readonly Share[];
}

/**
 * Compares the averages of two models. Where rows pair, the difference is tested by the signs of what
 * each of them adds to it; else the intervals of the scores tell how sure it is. Templates that were
 * chosen from several count as so many comparisons.
 */
export function compareModels(left: RankedModel, right: RankedModel): ModelComparison {
  const compared = compareInOrder(left, right);
  // On the rows that both have the other one may be ahead.
  return compared.difference.value < 0 ? compareInOrder(right, left) : compared;
}

function compareInOrder(better: RankedModel, worse: RankedModel): ModelComparison {
  const tasks = better.cells.map((cell, index) => differ(cell, worse.cells[index] as BoardCell));
  const count = tasks.length;
  const value = tasks.reduce((sum, task) => sum + task.value, 0) / count;
  const error = Math.sqrt(tasks.reduce((sum, { variance }) => sum + variance, 0)) / count;
  const reach = normalReach(defaultLevel) * error;
  const isSame = tasks.every(({ value, variance, pairs }) =>
    pairs === undefined ? value === 0 : value === 0 && variance === 0,
  );
  const choices = choicesOf(better) * choicesOf(worse);
  return {
    better,
    worse,
    difference: {
      value,
      low: Math.max(-1, value - reach),
      high: Math.min(1, value + reach),
      level: defaultLevel,
      method: 'combined',
    },
    p: isSame ? 1 : Math.min(1, choices * testOf(tasks, { value, error })),
    isSame,
    tasks: tasks.map(({ task, value, pairs, unpaired }) => ({ task, value, pairs, unpaired })),
  };
}

/** How many templates a model's scores were chosen from. */
function choicesOf({ tried, cells }: RankedModel): number {
  return cells.reduce((product, cell) => product * cell.tried, tried);
}

function differ(left: BoardCell, right: BoardCell): Difference {
  const paired = left.rows && right.rows && pairedShares(left.rows, right.rows);
  const { task } = left;
  if (paired) {
    const { value, shares, pairs, unpaired } = paired;
    const variance = shares.reduce((sum, { size, count }) => sum + count * size ** 2, 0);
    return { task, value, pairs, unpaired, shares, variance };
  }
  const unpaired = left.rows && right.rows ? left.rows.cells.size + right.rows.cells.size : 0;
  const value = left.score.value - right.score.value;
  return { task, value, pairs: undefined, unpaired, shares: [], variance: apart(left, right) };
}

/** The variance of the difference of two independent scores, by the sides of their intervals that face each other. */
function apart({ score: left }: BoardCell, { score: right }: BoardCell): number {
  const [upper, lower] = left.value >= right.value ? [left, right] : [right, left];
  const reach = Math.hypot(upper.value - upper.low, lower.high - lower.value);
  return (reach / normalReach(upper.level)) ** 2;
}

/** With so few rows that differ all choices of signs are counted. */
const fewRows = 16;

function testOf(
  tasks: readonly Difference[],
  { value, error }: { readonly value: number; readonly error: number },
): number {
  const count = tasks.length;
  const shares = tasks.flatMap((task) => task.shares).filter(({ size }) => size !== 0);
  const isPaired = tasks.every(({ pairs }) => pairs !== undefined);
  const rows = shares.reduce((sum, share) => sum + share.count, 0);
  if (isPaired && rows <= fewRows) {
    const sizes = shares.flatMap(({ size, count: times }) => Array<number>(times).fill(size));
    return permutationTest(sizes, { seed: 0 }).p;
  }
  // Sums of signs come in steps; half of the smallest is taken off.
  const step = isPaired ? Math.min(...shares.map(({ size }) => Math.abs(size))) / count : 0;
  return Math.min(1, 2 * normalShareAbove(Math.max(0, Math.abs(value) - step) / error));
}
