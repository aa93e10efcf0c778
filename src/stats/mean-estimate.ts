import { boundedEnds, type WeighedValues } from './bounded-mean.ts';
import { requireLevel } from './check.ts';
import { studentQuantile } from './distributions.ts';
import { defaultLevel, type Measurement } from './estimate.ts';
import { ValueCounts } from './value-counts.ts';
import { wilsonShare } from './wilson.ts';

export interface MeanOptions {
  /** What a score can be; from 0 to 1 unless said otherwise. An end may be infinite. */
  readonly range?: readonly [lowest: number, highest: number] | undefined;
  readonly level?: number | undefined;
}

/**
 * The mean of scores with the interval that their kind allows; nothing if there are none. Of right
 * and wrong it is Wilson's; of scores in a known range one that holds for any distribution in it.
 * Scores without a highest possible one have Student's interval, or that with the furthest scores as
 * the range where it reaches further; with fewer than three rows beside the commonest score they
 * have none.
 */
export function estimateMean(
  counts: ValueCounts,
  { range = [0, 1], level = defaultLevel }: MeanOptions = {},
): Measurement | undefined {
  requireLevel(level);
  if (counts.size === 0) return undefined;
  const scores = scoresOf(counts);
  const [lowest, highest] = range;
  if (lowest === 0 && highest === 1 && scores.values.every(([score]) => isVerdict(score))) {
    return wilsonShare(Math.min(1, Math.max(0, scores.mean)), counts.size, level);
  }
  const isInside = scores.least >= lowest && scores.most <= highest;
  const isBounded = Number.isFinite(lowest) && Number.isFinite(highest) && isInside;
  return isBounded
    ? boundedEstimate(scores, { range, level })
    : openEstimate(scores, { range, level });
}

/** The same for scores as they come. */
export function meanOfScores(
  scores: Iterable<number>,
  options: MeanOptions = {},
): Measurement | undefined {
  const counts = new ValueCounts();
  for (const score of scores) counts.add(score);
  return estimateMean(counts, options);
}

/**
 * The mean of paired differences. Where most pairs have the same difference, mostly none, those not
 * seen may be as far out as the range allows. Else what was seen says how far they go: an interval
 * that allows for a row that is lost wholly would find nothing in rows that all differ a little.
 */
export function meanOfDifferences(
  differences: Iterable<number>,
  { range = [-1, 1], level }: MeanOptions = {},
): Measurement | undefined {
  const counts = new ValueCounts();
  for (const difference of differences) counts.add(difference);
  const isRare = 2 * commonestOf(counts.entries()) > counts.size;
  return estimateMean(counts, { range: isRare ? range : openRange, level });
}

const openRange = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** How often the commonest score occurs. */
function commonestOf(values: WeighedValues): number {
  return values.reduce((top, [, count]) => Math.max(top, count), 0);
}

function isVerdict(score: number): boolean {
  return score === 0 || score === 1;
}

interface Scores {
  readonly values: [score: number, count: number][];
  readonly size: number;
  readonly mean: number;
  readonly least: number;
  readonly most: number;
  /** What the mean of all scores is above that of the values, which may be coarser. */
  readonly shift: number;
}

function scoresOf(counts: ValueCounts): Scores {
  const values = counts.entries();
  const { size } = counts;
  const least = values[0]?.[0] ?? 0;
  const most = values.at(-1)?.[0] ?? 0;
  const mean = least === most ? least : counts.mean;
  const center = values.reduce((sum, [score, count]) => sum + score * (count / size), 0);
  return { values, size, mean, least, most, shift: mean - center };
}

interface Known {
  readonly range: readonly [number, number];
  readonly level: number;
}

function boundedEstimate(scores: Scores, { range, level }: Known): Measurement {
  const { low, high } = shiftedEnds(scores, { range, level });
  const [lowest, highest] = range;
  const ends = { low: Math.max(lowest, low), high: Math.min(highest, high) };
  return { value: scores.mean, ...ends, level, method: 'bounded' };
}

function shiftedEnds({ values, mean, shift }: Scores, { range, level }: Known) {
  const { low, high } = boundedEnds(values, { range, level });
  return { low: Math.min(mean, low + shift), high: Math.max(mean, high + shift) };
}

/** Fewer rows than this beside the commonest score say nothing about those not seen. */
export const fewestUnlike = 3;

function openEstimate(scores: Scores, { range: [lowest, highest], level }: Known): Measurement {
  const { values, size, mean, least, most } = scores;
  if (size - commonestOf(values) < fewestUnlike) return { value: mean, interval: 'too few' };
  const seen = shiftedEnds(scores, { range: [least, most], level });
  const half = studentQuantile((1 + level) / 2, size - 1) * standardError(scores);
  const low = Math.min(seen.low, mean - half);
  const high = Math.max(seen.high, mean + half);
  return {
    value: mean,
    // Scores beyond the range that they should have say nothing about their ends.
    low: least < lowest ? low : Math.max(lowest, low),
    high: most > highest ? high : Math.min(highest, high),
    level,
    method: 'student',
  };
}

function standardError({ values, size, mean }: Scores): number {
  const squares = values.reduce((sum, [score, count]) => sum + count * (score - mean) ** 2, 0);
  return Math.sqrt(squares / (size - 1) / size);
}
