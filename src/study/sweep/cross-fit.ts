import { keyedRandom } from '../../base/keyed-random.ts';
import { studentQuantile } from '../../stats/distributions.ts';
import type { Estimate } from '../../stats/estimate.ts';
import { groupAverage } from '../../stats/means.ts';
import { wilsonShare } from '../../stats/wilson.ts';
import { areShares, isBinary } from './mean-score.ts';
import type { ScoreKind } from './sweep-summary.ts';

/** Scores of the candidates on the rows of one task. */
export interface Candidates extends ScoreKind {
  /** One for each candidate, in the same order for all tasks. */
  readonly scores: readonly Float64Array[];
}

export interface CrossFitted {
  /** What the candidates that half of the rows choose score on the other half. */
  readonly score: Estimate;
  /** How often each candidate was chosen, of all choices. */
  readonly chosen: readonly number[];
}

const level = 0.95;
const splits = 20;

/**
 * The score of a best candidate that is not flattered by having been chosen. The rows of each task
 * are halved at random, one half chooses, the other one scores, and the other way round; this is
 * repeated and averaged. No row scores a candidate that it helped to choose, so the score is right on
 * average for the candidates chosen; it is that of a choice from half as many rows.
 *
 * The halves of many splits are not independent. The interval is as wide as that of one candidate
 * chosen beforehand, on all rows: averaging over splits can only make the estimate steadier.
 */
export function crossFit(tasks: readonly Candidates[], seed: number): CrossFitted | undefined {
  const count = tasks[0]?.scores[0] ? tasks[0].scores.length : 0;
  const isTooSmall = tasks.some(({ scores }) => (scores[0]?.length ?? 0) < 2);
  if (count === 0 || isTooSmall) return undefined;
  const counts = Array<number>(count).fill(0);
  const totals = tasks.map(() => 0);
  for (let split = 0; split < splits; split += 1) {
    const halves = tasks.map((task, place) => halve(task, { seed, key: `${split} ${place}` }));
    for (const side of [0, 1] as const) {
      const best = chooseBest(tasks, halves, side);
      counts[best] = (counts[best] ?? 0) + 1;
      const other = side === 0 ? 1 : 0;
      for (const [place, { means, shares }] of halves.entries()) {
        // Each half counts by its rows, so that all rows count alike.
        const scored = (means[best]?.[other] ?? 0) * shares[other];
        totals[place] = (totals[place] ?? 0) + scored;
      }
    }
  }
  const chosen = counts.map((times) => times / (2 * splits));
  const estimates = tasks.flatMap(
    (task, place) => estimateOf(task, { value: (totals[place] ?? 0) / splits, chosen }) ?? [],
  );
  const score = tasks.length === 1 ? estimates[0] : groupAverage(estimates);
  return score && { score, chosen };
}

type Pair = readonly [number, number];

interface Halves {
  /** Of each candidate on either half. */
  readonly means: readonly Pair[];
  /** Of the rows. */
  readonly shares: Pair;
}

function halve(
  { scores }: Candidates,
  { seed, key }: { readonly seed: number; readonly key: string },
): Halves {
  const size = scores[0]?.length ?? 0;
  const inSecond = drawHalf(size, keyedRandom(seed, `split ${key}`));
  const second = Math.floor(size / 2);
  const means = scores.map((rows): Pair => {
    let sum = 0;
    let total = 0;
    for (const [row, score] of rows.entries()) {
      total += score;
      if (inSecond[row]) sum += score;
    }
    return [(total - sum) / (size - second), sum / second];
  });
  return { means, shares: [(size - second) / size, second / size] };
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

/** The candidate with the best mean over tasks on one half of their rows; the first of several. */
function chooseBest(tasks: readonly Candidates[], halves: readonly Halves[], side: 0 | 1): number {
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (const candidate of tasks[0]?.scores.keys() ?? []) {
    const total = halves.reduce((sum, { means }, place) => {
      const sign = tasks[place]?.direction === 'lower' ? -1 : 1;
      return sum + sign * (means[candidate]?.[side] ?? 0);
    }, 0);
    if (total <= highest) continue;
    highest = total;
    best = candidate;
  }
  return best;
}

function estimateOf(
  { scores }: Candidates,
  { value, chosen }: { readonly value: number; readonly chosen: readonly number[] },
): Estimate | undefined {
  const size = scores[0]?.length ?? 0;
  const variance = scores.reduce(
    (sum, rows, candidate) => sum + (chosen[candidate] ?? 0) * varianceOf(rows),
    0,
  );
  const isShare = scores.every(areShares);
  const [lowest, highest] = isShare ? [0, 1] : [-Infinity, Infinity];
  const clip = (score: number) => Math.min(highest, Math.max(lowest, score));
  if (isShare && (variance === 0 || scores.every(isBinary))) {
    const estimate = wilsonShare(clip(value), size);
    return estimate && { ...estimate, method: 'cross-fitted' };
  }
  const half = studentQuantile((1 + level) / 2, size - 1) * Math.sqrt(variance / size);
  const ends = { low: clip(value - half), high: clip(value + half) };
  return { value, ...ends, level, method: 'cross-fitted' };
}

function varianceOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}
