import type { DatasetMetric } from '../../score/scorer.ts';
import { chooseFlips } from './choose-flips.ts';
import type { Assessment, Scale, TaskComparison, Why } from './comparison.ts';
import { type LoggedTask, loadFlips } from './load-flips.ts';
import { pairDatasetMetric } from './pair-dataset-metric.ts';
import type { EvaluationPair } from './pair-evaluations.ts';
import type { PairedRows, RowPair } from './pair-rows.ts';
import {
  assessDatasetMetric,
  assessPairs,
  type PairedScores,
  type RowClusters,
} from './paired-test.ts';
import type { TaskClusters } from './task-clusters.ts';

/** A pair of tasks with all that was read of them. */
export interface OpenedTask {
  readonly clusters?: TaskClusters | undefined;
  readonly task: EvaluationPair;
  readonly scale: Scale;
  /** Left out where the mean of the rows' scores counts. */
  readonly datasetMetric?: DatasetMetric | undefined;
  /** How the scores of single rows are read. */
  readonly rowScale: Scale;
  readonly rows: PairedRows;
  readonly a: LoggedTask;
  readonly b: LoggedTask;
  readonly why?: Why | undefined;
}

/** What one task comes to, before it is judged among the others. */
export type AssessedTask = Omit<TaskComparison, 'adjustedP' | 'verdict'>;

export async function compareTask(
  opened: OpenedTask,
  { level, flips }: { readonly level: number; readonly flips: number },
): Promise<AssessedTask> {
  const { task, scale, rows, a, b } = opened;
  const countedAsWrong = assessWithWrong(opened, level);
  const passing = assessPassing(opened, level);
  const { total, chosen } = chooseFlips(rows.scored, { a: a.rows, b: b.rows, limit: flips });
  return {
    name: task.name,
    a: { model: task.a.model, dataset: task.a.dataset },
    b: { model: task.b.model, dataset: task.b.dataset },
    scale,
    pairing: rows.pairing,
    unscored: { a: countUnscored(opened, 'a'), b: countUnscored(opened, 'b') },
    ...unnamedOf(opened),
    ...chosenOf(opened),
    leftOut: rows.leftOut,
    ...([a, b].some(isPartial) && { partial: true }),
    result: assess(opened, level),
    ...(countedAsWrong && { countedAsWrong }),
    ...(passing && { passing }),
    regressions: countRegressions(opened),
    flips: { total, shown: await loadFlips(chosen, { a, b }) },
    ...(opened.why && { why: opened.why }),
  };
}

/** Whether a run was ended before it got to all rows of a task. */
function isPartial({ run: { summary }, task }: LoggedTask): boolean {
  if (summary?.complete) return false;
  const result = summary?.results.find(
    ({ model, dataset }) => model === task.model && dataset === task.dataset,
  );
  return !result || result.rows.missing > 0;
}

function countUnscored(opened: OpenedTask, side: 'a' | 'b'): number {
  const { rows } = opened[side];
  const { scored, unscored } = opened.rows;
  return [...scored, ...unscored].filter(
    (pair) => !rows.isScored(pair[side]) || rows.lacksSamples(pair[side]),
  ).length;
}

function unnamedOf({ rows, a, b }: OpenedTask): Pick<AssessedTask, 'unnamed'> {
  const pairs = [...rows.scored, ...rows.unscored];
  const unnamed = {
    a: pairs.filter((pair) => a.rows.isUnnamed(pair.a)).length,
    b: pairs.filter((pair) => b.rows.isUnnamed(pair.b)).length,
  };
  return unnamed.a + unnamed.b > 0 ? { unnamed } : {};
}

function chosenOf({ a, b }: OpenedTask): Pick<AssessedTask, 'chosen'> {
  const [ofA, ofB] = [a.rows.way, b.rows.way];
  return ofA && ofB && ofA !== ofB ? { chosen: { a: ofA, b: ofB } } : {};
}

function assess(opened: OpenedTask, level: number): Assessment | undefined {
  const { rows, datasetMetric, a, b } = opened;
  const scores = scoresOf(rows.scored, opened);
  if (!datasetMetric) return assessPairs(scores, level);
  const paired = pairDatasetMetric(rows.scored, { metric: datasetMetric, a: a.rows, b: b.rows });
  const [lowest, highest] = datasetMetric.range;
  const clusters = scores.clusters && {
    clusters: scores.clusters.names,
    largest: highest - lowest,
  };
  return paired && assessDatasetMetric({ scores, paired: { ...paired, ...clusters } }, level);
}

/**
 * A row without a score in B is one where A has something to lose; one that passed its checks, and does
 * not any more, is worse whatever its score.
 */
function countRegressions({ rows, rowScale, a, b }: OpenedTask): number {
  const sign = rowScale.direction === 'higher' ? 1 : -1;
  const hasWrong = rowScale.isShare && rowScale.direction === 'higher';
  const kind = hasWrong ? 'scoreOfAll' : 'scoreOf';
  const worse = rows.scored.filter(
    (pair) =>
      sign * (b.rows[kind](pair.b) - a.rows[kind](pair.a)) < 0 ||
      (a.rows.passes(pair.a) === true && b.rows.passes(pair.b) === false),
  );
  const lost = rows.unscored.filter(
    (pair) =>
      a.rows.isScored(pair.a) &&
      !b.rows.isScored(pair.b) &&
      !(hasWrong && a.rows.scoreOf(pair.a) <= 0),
  );
  return worse.length + lost.length;
}

/** On other scales there is no score that stands for a wrong answer. */
function assessWithWrong(opened: OpenedTask, level: number): Assessment | undefined {
  const { scale, rows } = opened;
  const { a, b } = opened;
  const hasWrong = scale.isShare && scale.direction === 'higher' && !opened.datasetMetric;
  const lacksSamples = (pair: RowPair) =>
    a.rows.lacksSamples(pair.a) || b.rows.lacksSamples(pair.b);
  const hasUnscored = rows.unscored.length > 0 || rows.scored.some(lacksSamples);
  if (!hasUnscored || !hasWrong) return undefined;
  return assessPairs(scoresOf([...rows.scored, ...rows.unscored], opened, 'scoreOfAll'), level);
}

/** Rows that pass or do not, where both sides say so of some. */
function assessPassing(opened: OpenedTask, level: number): Assessment | undefined {
  const { rows, a, b, clusters } = opened;
  const said = (pair: RowPair) =>
    a.rows.passes(pair.a) !== undefined && b.rows.passes(pair.b) !== undefined;
  if (!rows.scored.some(said)) return undefined;
  const pairs = [...rows.scored, ...rows.unscored];
  return assessPairs(
    {
      ...(clusters && { clusters: pairClusters(pairs, clusters, { a, b }) }),
      a: Float64Array.from(pairs, (pair) => Number(a.rows.passes(pair.a) === true)),
      b: Float64Array.from(pairs, (pair) => Number(b.rows.passes(pair.b) === true)),
    },
    level,
  );
}

/** A row without a score counts as 0. */
function scoresOf(
  pairs: readonly RowPair[],
  { a, b, clusters }: OpenedTask,
  kind: 'scoreOf' | 'scoreOfAll' = 'scoreOf',
): PairedScores {
  return {
    ...(clusters && { clusters: pairClusters(pairs, clusters, { a, b }) }),
    a: Float64Array.from(pairs, (pair) => a.rows[kind](pair.a)),
    b: Float64Array.from(pairs, (pair) => b.rows[kind](pair.b)),
  };
}

function pairClusters(
  pairs: readonly RowPair[],
  { by, side }: TaskClusters,
  tasks: Pick<OpenedTask, 'a' | 'b'>,
): RowClusters {
  return { by, names: pairs.map((pair) => tasks[side].rows.clusterOf(pair[side])) };
}
