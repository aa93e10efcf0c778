import { clusteredDifference } from '../../stats/clustered-difference.ts';
import { hasInterval, type Measurement } from '../../stats/estimate.ts';
import { mcnemar } from '../../stats/mcnemar.ts';
import { mcnemarDetectable, mcnemarPairs } from '../../stats/mcnemar-power.ts';
import { meanOfDifferences } from '../../stats/mean-estimate.ts';
import {
  type PairedEffect,
  pairedMeanDetectable,
  pairedMeanPairs,
} from '../../stats/paired-mean-power.ts';
import { compareDatasetMetrics, type PairedMetric } from '../../stats/paired-metric.ts';
import { rateDifference } from '../../stats/paired-rates.ts';
import { permutationTest } from '../../stats/permutation.ts';
import type { Assessment } from './comparison.ts';

/** Scores of the same rows, in the same order. */
export interface PairedScores {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly clusters?: RowClusters | undefined;
}

/** Which rows belong together. */
export interface RowClusters {
  /** The column that says so. */
  readonly by: string;
  /** The cluster of each pair. */
  readonly names: readonly string[];
}

const seed = 0;

/** Tests whether paired scores differ; nothing if there are none. */
export function assessPairs(scores: PairedScores, level: number): Assessment | undefined {
  if (scores.a.length === 0) return undefined;
  const { clusters } = scores;
  if (clusters) return assessClusters({ ...scores, clusters }, level);
  return areRates(scores) ? assessRates(scores, level) : assessMeans(scores, level);
}

function areRates({ a, b }: PairedScores): boolean {
  return [a, b].every((side) => side.every((score) => score === 0 || score === 1));
}

function areShares({ a, b }: PairedScores): boolean {
  return [a, b].every((side) => side.every((score) => score >= 0 && score <= 1));
}

function assessClusters(
  scores: PairedScores & { readonly clusters: RowClusters },
  level: number,
): Assessment {
  const { a, b, clusters } = scores;
  const pairs = a.length;
  const differences = differencesOf(scores);
  const {
    p,
    method,
    clusters: count,
    ...found
  } = clusteredDifference(differences, {
    clusters: clusters.names,
    level,
    seed,
    ...(areShares(scores) && { largest: 1 }),
    ...(areRates(scores) && { steps: 1 }),
  });
  const difference = sumOf(differences) / pairs;
  return {
    pairs,
    clusters: { by: clusters.by, count },
    a: sumOf(a) / pairs,
    b: sumOf(b) / pairs,
    difference,
    interval: found.difference,
    p,
    test: { type: 'permutation', method, ...countHigher(differences) },
    ...planClusters({ pairs, count, difference, standardError: found.standardError }, level),
  };
}

function assessRates({ a, b }: PairedScores, level: number): Assessment {
  const pairs = a.length;
  const rightA = sumOf(a);
  const rightB = sumOf(b);
  const both = a.reduce((count, score, index) => count + score * (b[index] ?? 0), 0);
  const onlyA = rightA - both;
  const onlyB = rightB - both;
  const { exact, midP } = mcnemar({ onlyA, onlyB });
  const rates = { onlyA: onlyA / pairs, onlyB: onlyB / pairs };
  const discordant = (onlyA + onlyB) / pairs;
  return {
    pairs,
    a: rightA / pairs,
    b: rightB / pairs,
    difference: (onlyB - onlyA) / pairs,
    interval: rateDifference({ onlyA, onlyB, pairs }, level),
    p: exact,
    test: { type: 'mcnemar', onlyA, onlyB, both, neither: pairs - both - onlyA - onlyB, midP },
    neededPairs: mcnemarPairs(rates, { level }),
    detectable: mcnemarDetectable({ pairs, discordant }, { level }),
  };
}

function assessMeans({ a, b }: PairedScores, level: number): Assessment {
  const pairs = a.length;
  const differences = differencesOf({ a, b });
  const difference = sumOf(differences) / pairs;
  const squares = differences.reduce((sum, one) => sum + (one - difference) ** 2, 0);
  const deviation = Math.sqrt(squares / Math.max(1, pairs - 1));
  const { p, method } = permutationTest(differences, { seed });
  const estimate = meanOfDifferences(differences, { range: rangeOf({ a, b }), level });
  const isEnough = pairs >= fewestPairs(level) && hasInterval(estimate);
  return {
    pairs,
    a: sumOf(a) / pairs,
    b: sumOf(b) / pairs,
    difference,
    interval: isEnough ? estimate : undefined,
    p,
    test: { type: 'permutation', method, ...countHigher(differences) },
    ...planMeans({ pairs, difference, deviation, room: roomOf(differences, estimate) }, level),
  };
}

/** What differences can be: those of shares have bounds. */
function rangeOf({ a, b }: PairedScores): readonly [number, number] {
  const areShares = [a, b].every((side) => side.every((score) => score >= 0 && score <= 1));
  return areShares ? [-1, 1] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
}

/** How far from their mean, towards 0 and beyond, the interval allows for differences. */
function roomOf(differences: Float64Array, estimate: Measurement | undefined): number {
  const mean = estimate?.value ?? 0;
  if (estimate?.method === 'bounded') return 1 + Math.abs(mean);
  const side = mean < 0 ? -1 : 1;
  return differences.reduce((furthest, one) => Math.max(furthest, side * (mean - one)), 0);
}

/** The same for a measure of all rows together; the rows' own scores only say which changed. */
export function assessDatasetMetric(
  { scores, paired }: { readonly scores: PairedScores; readonly paired: PairedMetric },
  level: number,
): Assessment | undefined {
  const found = compareDatasetMetrics(paired, { seed, level });
  if (!found) return undefined;
  const { a, b, difference: interval, standardError, p, method } = found;
  const pairs = scores.a.length;
  const difference = b - a;
  const { clusters } = scores;
  const count = clusters ? new Set(clusters.names).size : pairs;
  return {
    pairs,
    ...(clusters && { clusters: { by: clusters.by, count } }),
    a,
    b,
    difference,
    interval: count >= fewestPairs(level) ? interval : undefined,
    p,
    test: { type: 'swap', method, ...countHigher(differencesOf(scores)) },
    ...planClusters({ pairs, count, difference, standardError }, level),
  };
}

interface ClusterPlan {
  readonly pairs: number;
  /** How many clusters they are in. */
  readonly count: number;
  readonly difference: number;
  readonly standardError: number;
}

/** What it would take with clusters of the same size: as if each were one pair. */
function planClusters(
  { pairs, count, difference, standardError }: ClusterPlan,
  level: number,
): Pick<Assessment, 'neededPairs' | 'detectable'> {
  // The deviation that a mean with this standard error would have.
  const deviation = standardError * Math.sqrt(count);
  const { neededPairs, detectable } = planMeans({ pairs: count, difference, deviation }, level);
  const rows = neededPairs === undefined ? undefined : Math.ceil((neededPairs * pairs) / count);
  return { neededPairs: rows, detectable };
}

/** What it would take to find the difference; nothing where the differences are all the same. */
function planMeans(
  { pairs, ...effect }: PairedEffect & { readonly pairs: number },
  level: number,
): Pick<Assessment, 'neededPairs' | 'detectable'> {
  const fewest = fewestPairs(level);
  if (pairs < fewest || effect.deviation === 0) return {};
  const needed = pairedMeanPairs(effect, { level });
  return {
    neededPairs: needed && Math.max(fewest, needed),
    detectable: pairedMeanDetectable({ pairs, ...effect }, { level }),
  };
}

/** With fewer pairs not even differences that all point one way are significant. */
export function fewestPairs(level: number): number {
  return Math.ceil(1 - Math.log2(1 - level));
}

function differencesOf({ a, b }: PairedScores): Float64Array {
  return b.map((score, index) => score - (a[index] ?? 0));
}

function countHigher(differences: Float64Array) {
  return {
    higherA: countOf(differences, (one) => one < 0),
    higherB: countOf(differences, (one) => one > 0),
    equal: countOf(differences, (one) => one === 0),
  };
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function countOf(values: Float64Array, holds: (value: number) => boolean): number {
  return values.reduce((count, value) => count + (holds(value) ? 1 : 0), 0);
}
