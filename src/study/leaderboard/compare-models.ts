import { defaultLevel, type Estimate } from '../../stats/estimate.ts';
import { normalReach } from '../../stats/normal.ts';
import { type SignSums, signSums } from '../../stats/sign-sums.ts';
import { pairedShares } from './paired-shares.ts';
import type { BoardCell, RankedModel } from './rank-models.ts';
import { correlationOf, type UnitOfRow } from './row-units.ts';

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
  /** What rows add to the difference, where they pair. */
  readonly shares: ReadonlyMap<string, number>;
  /** How far off the difference may be where rows do not pair, as a standard error. */
  readonly error: number;
}

/**
 * Compares the averages of two models. Where rows pair, the difference is tested by the signs of what
 * each of them adds to it, in all tasks together; else the intervals of the scores tell how sure it
 * is. Templates that were chosen from several count as so many comparisons.
 */
export function compareModels(
  left: RankedModel,
  right: RankedModel,
  units: UnitOfRow,
): ModelComparison {
  const compared = compareInOrder(left, right, units);
  // On the rows that both have the other one may be ahead.
  return compared.difference.value < 0 ? compareInOrder(right, left, units) : compared;
}

function compareInOrder(
  better: RankedModel,
  worse: RankedModel,
  units: UnitOfRow,
): ModelComparison {
  const tasks = better.cells.map((cell, index) => differ(cell, worse.cells[index] as BoardCell));
  const count = tasks.length;
  const value = tasks.reduce((sum, task) => sum + task.value, 0) / count;
  const shares = sharesOfUnits(tasks, units);
  const unpaired = varianceOfUnpaired(tasks, { better, worse, units });
  const isPaired = tasks.every(({ pairs }) => pairs !== undefined);
  const sums = signSums(shares, isPaired ? 0 : unpaired);
  // An interval holds 0 wherever the test finds nothing.
  const error = Math.sqrt(shares.reduce((sum, share) => sum + share ** 2, unpaired));
  const reach =
    Math.max(normalReach(defaultLevel) * error, reachOf(shares, { sums, value: value * count })) /
    count;
  const isSame = tasks.every(
    ({ value, shares }) => value === 0 && [...shares.values()].every((share) => isNothing(share)),
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
    p: isSame ? 1 : Math.min(1, choices * sums.shareBeyond(Math.abs(value) * count)),
    isSame,
    tasks: tasks.map(({ task, value, pairs, unpaired }) => ({ task, value, pairs, unpaired })),
  };
}

/** Where no sum of these shares is rare enough, the interval goes past 0 by the least of them. */
function reachOf(
  shares: readonly number[],
  { sums, value }: { readonly sums: SignSums; readonly value: number },
): number {
  if (shares.length === 0) return 0;
  const reach = sums.reachOf(1 - defaultLevel);
  return Number.isFinite(reach) ? reach : Math.abs(value) + Math.min(...shares.map(Math.abs));
}

/** How many templates a model's scores were chosen from. */
function choicesOf({ tried, cells }: RankedModel): number {
  return cells.reduce((product, cell) => product * cell.tried, tried);
}

function differ(left: BoardCell, right: BoardCell): Difference {
  const paired = left.rows && right.rows && pairedShares(left.rows, right.rows);
  const { task } = left;
  if (paired) {
    const { value, shares, unpaired } = paired;
    return { task, value, pairs: shares.size, unpaired, shares, error: 0 };
  }
  const unpaired = left.rows && right.rows ? left.rows.cells.size + right.rows.cells.size : 0;
  const value = left.score.value - right.score.value;
  const error = apart(left, right);
  return { task, value, pairs: undefined, unpaired, shares: new Map(), error };
}

const rounding = 1e-12;

function isNothing(share: number): boolean {
  return Math.abs(share) < rounding;
}

/** What units add to the sum of the differences, over all tasks; those that add nothing are left out. */
function sharesOfUnits(tasks: readonly Difference[], units: UnitOfRow): number[] {
  const sums = new Map<string, number>();
  for (const [name, share] of tasks.flatMap(({ shares }) => [...shares])) {
    if (isNothing(share)) continue;
    const unit = units(name);
    sums.set(unit, (sums.get(unit) ?? 0) + share);
  }
  return [...sums.values()].filter((share) => !isNothing(share));
}

interface ComparedModels {
  readonly better: RankedModel;
  readonly worse: RankedModel;
  readonly units: UnitOfRow;
}

/** The variance of the sum of differences whose rows do not pair; tasks over the same rows vary together. */
function varianceOfUnpaired(
  tasks: readonly Difference[],
  { better, worse, units }: ComparedModels,
): number {
  const places = tasks.flatMap(({ error }, place) => (error > 0 ? [place] : []));
  const [ofBetter, ofWorse] = [better, worse].map(({ cells }) => correlationOf(cells, units));
  let sum = 0;
  for (const place of places) {
    for (const other of places) {
      const [one, two] = [tasks[place]?.error ?? 0, tasks[other]?.error ?? 0];
      const together =
        place === other ? 1 : Math.max(ofBetter?.(place, other) ?? 0, ofWorse?.(place, other) ?? 0);
      sum += together * one * two;
    }
  }
  return sum;
}

/** The standard error of the difference of two independent scores, by the sides of their intervals that face each other. */
function apart({ score: left }: BoardCell, { score: right }: BoardCell): number {
  const [upper, lower] = left.value >= right.value ? [left, right] : [right, left];
  const reach = Math.hypot(upper.value - upper.low, lower.high - lower.value);
  return reach / normalReach(upper.level);
}
