import { bootstrapTable } from '../../stats/bootstrap-table.ts';
import type { Estimate } from '../../stats/estimate.ts';
import { groupAverage } from '../../stats/means.ts';
import { normalReach } from '../../stats/normal.ts';
import type { RankedModel, Ranking } from './rank-models.ts';
import type { ScoredRows, TaskScore } from './task-score.ts';

/** Two neighbours of a ranking. */
export interface Comparison {
  readonly better: RankedModel;
  readonly worse: RankedModel;
  /** How far their averages lie apart. */
  readonly difference: Estimate;
  /** Whether the interval of the difference lies on one side of nothing. */
  readonly isToldApart: boolean;
  /** How many tasks are compared document by document. */
  readonly pairedTasks: number;
  /** Tasks of which the two were asked other documents. */
  readonly otherDocuments: readonly string[];
}

const defaultLevel = 0.95;

/** Compares each model with the next one; all comparisons together hold at 95 %. */
export function compareNeighbours({ models }: Ranking): Comparison[] {
  const level = 1 - (1 - defaultLevel) / Math.max(1, models.length - 1);
  return models.slice(1).flatMap((worse, index) => {
    const better = models[index];
    return better ? [compareModels([better, worse], level)] : [];
  });
}

function compareModels(
  [better, worse]: readonly [RankedModel, RankedModel],
  level: number,
): Comparison {
  const pairs = better.scores.map((score, index) => {
    const other = worse.scores[index] as TaskScore;
    const paired = pairedDifference([score.rows, other.rows], level);
    return { paired, difference: paired ?? apartDifference([score.score, other.score], level) };
  });
  const difference = groupAverage(pairs.map((pair) => pair.difference)) as Estimate;
  return {
    better,
    worse,
    difference,
    isToldApart: difference.low > 0,
    pairedTasks: pairs.filter(({ paired }) => paired !== undefined).length,
    otherDocuments: better.scores.flatMap(({ task, rows }, index) =>
      rows && worse.scores[index]?.rows && !pairs[index]?.paired ? [task] : [],
    ),
  };
}

/** The difference of two scores over the same documents; nothing if the documents differ. */
function pairedDifference(
  [left, right]: readonly [ScoredRows | undefined, ScoredRows | undefined],
  level: number,
): Estimate | undefined {
  if (!left || !right || left.cells.size !== right.cells.size) return undefined;
  const counts = new Map<string, number>();
  for (const [key, cell] of left.cells) {
    const other = right.cells.get(key);
    if (other === undefined) return undefined;
    const both = JSON.stringify([cell, other]);
    counts.set(both, (counts.get(both) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const pairs = sorted.map(([both]) => JSON.parse(both) as [string, string]);
  const table = sorted.map(([, count]) => count);
  const ofLeft = left.measure(pairs.map(([cell]) => cell));
  const ofRight = right.measure(pairs.map(([, cell]) => cell));
  return bootstrapTable(table, (drawn) => ofLeft(drawn) - ofRight(drawn), { seed: 0, level });
}

/** The difference of two independent scores, from their intervals widened to the level. */
function apartDifference([left, right]: readonly [Estimate, Estimate], level: number): Estimate {
  const value = left.value - right.value;
  const widened = normalReach(level) / normalReach(left.level);
  const below = Math.hypot(left.value - left.low, right.high - right.value) * widened;
  const above = Math.hypot(left.high - left.value, right.value - right.low) * widened;
  return { value, low: value - below, high: value + above, level, method: 'combined' };
}
