import { keyedRandom } from '../../base/keyed-random.ts';
import { boundedEnds } from '../../stats/bounded-mean.ts';
import { type Estimate, hasInterval, type Measurement } from '../../stats/estimate.ts';
import { estimateMean } from '../../stats/mean-estimate.ts';
import { groupAverage } from '../../stats/means.ts';
import { ValueCounts } from '../../stats/value-counts.ts';
import type { RowClusters } from '../compare/paired-test.ts';
import { clusteredFit } from './clustered-fit.ts';
import { meanScore, rangeOf } from './mean-score.ts';
import type { ScoreKind } from './sweep-summary.ts';
import { findHighest } from './ties.ts';

/** Scores of the candidates on the rows of one task. */
export interface Candidates extends ScoreKind {
  /** One for each candidate, in the same order for all tasks. */
  readonly scores: readonly Float64Array[];
  /** Where rows come in clusters: halves are made of whole ones. */
  readonly clusters?: Pick<RowClusters, 'names'> | undefined;
}

export interface CrossFitted {
  /** What the candidates that half of the rows choose score on the other half. */
  readonly score: Measurement;
  /** How often each candidate was chosen, of all choices; candidates that tie share one. */
  readonly chosen: readonly number[];
  /** Whether candidates tied in any choice. */
  readonly hasTies: boolean;
}

const splits = 20;

/**
 * The score of a best candidate that is not flattered by having been chosen. The rows of each task
 * are halved at random, one half chooses, the other one scores, and the other way round; this is
 * repeated and averaged. No row scores a candidate that it helped to choose, so the score is right on
 * average for the candidates chosen; it is that of a choice from half as many rows.
 *
 * The halves of many splits are not independent. The interval is as wide as that of one candidate
 * with these scores, named beforehand, on all rows: averaging over splits can only make the estimate
 * steadier.
 */
export function crossFit(tasks: readonly Candidates[], seed: number): CrossFitted | undefined {
  const count = tasks[0]?.scores[0] ? tasks[0].scores.length : 0;
  const isTooSmall = tasks.some(({ scores }) => (scores[0]?.length ?? 0) < 2);
  if (count === 0 || isTooSmall) return undefined;
  const chosen = new Float64Array(count);
  const weights = tasks.map(({ scores }) => scores.map((rows) => new Float64Array(rows.length)));
  let hasTies = false;
  for (let split = 0; split < splits; split += 1) {
    const halves = tasks.map((task, place) => halve(task, { seed, key: `${split} ${place}` }));
    for (const side of [0, 1] as const) {
      const best = chooseBest(tasks, halves, side);
      hasTies ||= best.length > 1;
      for (const candidate of best) {
        chosen[candidate] = (chosen[candidate] ?? 0) + 1 / best.length;
        for (const [place, { inSecond }] of halves.entries()) {
          weighOther(weights[place]?.[candidate], { inSecond, side, share: 1 / best.length });
        }
      }
    }
  }
  const estimates = tasks.flatMap((task, place) => estimateOf(task, weights[place] ?? []) ?? []);
  const score = tasks.length === 1 ? estimates[0] : groupAverage(estimates);
  return score && { score, chosen: Array.from(chosen, (times) => times / (2 * splits)), hasTies };
}

type Pair = readonly [number, number];

interface Halves {
  /** Of each candidate on either half. */
  readonly means: readonly Pair[];
  /** For each row, which half it is in. */
  readonly inSecond: Uint8Array;
}

function halve(
  { scores, clusters }: Candidates,
  { seed, key }: { readonly seed: number; readonly key: string },
): Halves {
  const size = scores[0]?.length ?? 0;
  const inSecond = drawRows(size, { clusters, random: keyedRandom(seed, `split ${key}`) });
  const second = inSecond.reduce((count, mark) => count + mark, 0);
  const means = scores.map((rows): Pair => {
    const sums: [number, number] = [0, 0];
    for (const [row, score] of rows.entries()) sums[inSecond[row] === 1 ? 1 : 0] += score;
    return [sums[0] / (size - second), sums[1] / second];
  });
  return { means, inSecond };
}

interface HalfDraw {
  readonly clusters: Candidates['clusters'];
  readonly random: ReturnType<typeof keyedRandom>;
}

/** Marks half of so many rows, or the rows of half of their clusters. */
function drawRows(size: number, { clusters, random }: HalfDraw): Uint8Array {
  if (!clusters) return drawHalf(size, random);
  const names = [...new Set(clusters.names)];
  const marks = drawHalf(names.length, random);
  const markOf = new Map(names.map((name, place) => [name, marks[place] ?? 0]));
  return Uint8Array.from(clusters.names, (name) => markOf.get(name) ?? 0);
}

/** Marks half of so many rows, rounded down, by chance. */
function drawHalf(size: number, random: ReturnType<typeof keyedRandom>): Uint8Array {
  const marks = new Uint8Array(size);
  let wanted = Math.floor(size / 2);
  for (let row = 0; row < size; row += 1) {
    if (random.below(size - row) >= wanted) continue;
    marks[row] = 1;
    wanted -= 1;
  }
  return marks;
}

interface OtherHalf {
  readonly inSecond: Uint8Array;
  readonly side: 0 | 1;
  readonly share: number;
}

/** Counts the scores of the half that had no part in a choice. */
function weighOther(
  weights: Float64Array = new Float64Array(),
  { inSecond, side, share }: OtherHalf,
): void {
  for (let row = 0; row < weights.length; row += 1) {
    if (inSecond[row] !== side) weights[row] = (weights[row] ?? 0) + share;
  }
}

/** The candidates with the best mean over tasks on one half of their rows. */
function chooseBest(
  tasks: readonly Candidates[],
  halves: readonly Halves[],
  side: 0 | 1,
): readonly number[] {
  const totals = (tasks[0]?.scores ?? []).map((_, candidate) =>
    halves.reduce((sum, { means }, place) => {
      const sign = tasks[place]?.direction === 'lower' ? -1 : 1;
      return sum + sign * (means[candidate]?.[side] ?? 0);
    }, 0),
  );
  return findHighest(totals);
}

/** The mean of the scores, each weighed by how often it was that of a candidate chosen. */
function estimateOf(task: Candidates, weights: readonly Float64Array[]): Measurement | undefined {
  const scored = new ValueCounts();
  for (const [candidate, rows] of task.scores.entries()) {
    for (const [row, score] of rows.entries()) {
      // Every split scores every row once, so that all rows count alike.
      const times = (weights[candidate]?.[row] ?? 0) / splits;
      if (times > 0) scored.add(score, times);
    }
  }
  const fitted = task.clusters
    ? clusteredFit(scored.mean, { ...task, clusters: task.clusters, weights })
    : estimateMean(scored, { range: rangeOf(task) });
  if (!hasInterval(fitted)) return fitted;
  return widest(fitted, task, [
    ...(fitted.method === 'wilson' ? [exactRate(fitted, scored)] : []),
    ...leadersOf(task)
      .flatMap((rows) => meanScore(rows, task) ?? [])
      .filter(hasInterval),
  ]);
}

/** Wilson's interval of a rate is right on average; the exact one holds for each rate by itself. */
function exactRate(estimate: Estimate, scored: ValueCounts): Estimate {
  return { ...estimate, ...boundedEnds(scored.entries(), { level: estimate.level }) };
}

/** The candidates that lead on all rows. */
function leadersOf({ scores, direction }: Candidates): Float64Array[] {
  const sign = direction === 'lower' ? -1 : 1;
  const means = scores.map(
    (rows) => (sign * rows.reduce((sum, score) => sum + score, 0)) / rows.length,
  );
  return findHighest(means).flatMap((place) => scores[place] ?? []);
}

/** The interval reaches as far from its value as any of the others does from its own. */
function widest(estimate: Estimate, { plain }: Candidates, others: readonly Estimate[]): Estimate {
  const { value, low, high, level } = estimate;
  const below = Math.max(value - low, ...others.map((other) => other.value - other.low));
  const above = Math.max(high - value, ...others.map((other) => other.high - other.value));
  const isShare = estimate.method !== 'student' && !plain;
  return {
    value,
    low: isShare ? Math.max(0, value - below) : value - below,
    high: isShare ? Math.min(1, value + above) : value + above,
    level,
    method: 'cross-fitted',
  };
}
