import { keyedRandom } from '../../src/base/keyed-random.ts';
import { bcaShares, bootstrapMeanBca } from '../../src/stats/bca.ts';
import { bootstrapMean } from '../../src/stats/bootstrap.ts';
import { boundedMean } from '../../src/stats/bounded-mean.ts';
import {
  ClusterCellTally,
  ClusterScoreTally,
  ClusterSumTally,
} from '../../src/stats/cluster-tallies.ts';
import { clusteredDifference } from '../../src/stats/clustered-difference.ts';
import { clusteredMean } from '../../src/stats/clustered-mean.ts';
import { cohenKappa } from '../../src/stats/cohen-kappa.ts';
import { centeredShares, correlateShares } from '../../src/stats/correlate-rows.ts';
import { logBinomialTerm, logPoissonTerm } from '../../src/stats/deviance.ts';
import {
  binomialChance,
  binomialShareUpTo,
  chiSquareShareAbove,
  studentQuantile,
  studentShareAbove,
} from '../../src/stats/distributions.ts';
import { drawBinomial } from '../../src/stats/draw-binomial.ts';
import type { Measurement } from '../../src/stats/estimate.ts';
import { exactPermutation } from '../../src/stats/exact-permutation.ts';
import { holm } from '../../src/stats/holm.ts';
import { mcnemar } from '../../src/stats/mcnemar.ts';
import { mcnemarDetectable, mcnemarPairs, mcnemarPower } from '../../src/stats/mcnemar-power.ts';
import { meanOfDifferences, meanOfScores } from '../../src/stats/mean-estimate.ts';
import { groupAverage, meanOf } from '../../src/stats/means.ts';
import { meanOfCells, measureCells, withinShares } from '../../src/stats/measure-cells.ts';
import { normalQuantile, normalReach, normalShareAbove } from '../../src/stats/normal.ts';
import {
  pairedMeanDetectable,
  pairedMeanPairs,
  pairedMeanPower,
} from '../../src/stats/paired-mean-power.ts';
import { compareDatasetMetrics } from '../../src/stats/paired-metric.ts';
import { rateDifference } from '../../src/stats/paired-rates.ts';
import { permutationTest } from '../../src/stats/permutation.ts';
import { rowShares } from '../../src/stats/row-shares.ts';
import { RowUnits } from '../../src/stats/row-units.ts';
import { signSums } from '../../src/stats/sign-sums.ts';
import { CellTally, ScoreTally, SumTally } from '../../src/stats/tallies.ts';
import { varianceComponents } from '../../src/stats/variance-components.ts';
import { wilson, wilsonShare } from '../../src/stats/wilson.ts';

/** Values that a short name stands for. */
export type Sample = readonly [kind: keyof typeof kinds, size: number, seed: number];

const mixed = (index: number, seed: number) => ((index + 1) * 7919 + seed * 104_729) % 101;

const kinds = {
  shares: (index: number, seed: number) => mixed(index, seed) / 100,
  verdicts: (index: number, seed: number) => Number(mixed(index, seed) < 60),
  halves: (index: number, seed: number) => (mixed(index, seed) % 3) / 2,
  steps: (index: number, seed: number) => (mixed(index, seed) % 5) - 2,
  signs: (index: number, seed: number) => (mixed(index, seed) % 3) - 1,
  rare: (index: number, seed: number) => Number(mixed(index, seed) < 8) / 4,
  wide: (index: number, seed: number) => mixed(index, seed) * 3.7 - 100,
  groups: (index: number, seed: number) => mixed(index, seed) % 6,
  pairs: (index: number) => Math.floor(index / 2),
  cells: (index: number, seed: number) => mixed(index, seed) % 4,
  fine: (index: number, seed: number) => ((index * 7919 + seed * 104_729) % 100_003) / 1e5,
  same: (_: number, seed: number) => seed / 10,
};

export function sampleOf([kind, size, seed]: Sample): number[] {
  return Array.from({ length: size }, (_, index) => kinds[kind](index, seed));
}

type Options = Record<string, never>;

const share = (sums: ArrayLike<number>) => (sums[0] ?? 0) / (sums[1] ?? 1);
const agreeing: (cells: readonly string[]) => (counts: ArrayLike<number>) => number =
  (cells) => (counts) => {
    let [same, all] = [0, 0];
    cells.forEach((cell, place) => {
      const count = counts[place] ?? 0;
      all += count * count;
      if (Number(cell) % 2 === 0) same += count * count;
    });
    return same / all;
  };
/** As a mean, but with one row more, so that neither counts nor their signs cancel out. */
const leaning: (cells: readonly string[]) => (counts: ArrayLike<number>) => number =
  (cells) => (counts) => {
    const own = cells.map((cell, place) => [Number(cell), counts[place] ?? 0] as const);
    const sum = own.reduce((total, [value, count]) => total + value * count, 0);
    return sum / own.reduce((total, [, count]) => total + count, 1);
  };
const countsOf = (sample: Sample) => {
  const more = sampleOf(['shares', sample[1], sample[2] + 1]);
  return sampleOf(sample).map((value, index) => [value, 1 + (more[index] ?? 0)]);
};
const sumsOf = (sample: Sample) => countsOf(sample).map((row) => JSON.stringify(row));
const rowOptions = (clusters?: Sample, level?: number) => ({
  level,
  clusters: clusters && sampleOf(clusters).map(String),
});
const ofCells =
  (measure: typeof meanOfCells) => (sample: Sample, clusters?: Sample, level?: number) =>
    measureCells(sampleOf(sample).map(String), {
      ...{ type: 'cells', measure },
      ...rowOptions(clusters, level),
    });

/** What is worked out, by name. */
const works = {
  normal: (point: number) => normalShareAbove(point),
  quantile: (at: number) => normalQuantile(at),
  reach: (at: number) => normalReach(at),
  student: (point: number, degrees: number) => studentShareAbove(point, degrees),
  studentQuantile: (at: number, degrees: number) => studentQuantile(at, degrees),
  chiSquare: (value: number, degrees: number) => chiSquareShareAbove(value, degrees),
  binomial: (successes: number, trials: number, rate: number) => [
    binomialChance(successes, { trials, rate }),
    binomialShareUpTo(successes, { trials, rate }),
  ],
  logBinomial: (x: number, trials: number, rate: number) => logBinomialTerm(x, { trials, rate }),
  logPoisson: (x: number, mean: number) => logPoissonTerm(x, mean),
  draws: (seed: number, trials: number, rate: number) => {
    const random = keyedRandom(seed, 'draws');
    return Array.from({ length: 12 }, () => drawBinomial(random, trials, rate));
  },
  wilson: (successes: number, count: number, level?: number) => wilson(successes, count, level),
  wilsonShare: (at: number, count: number, level?: number) => wilsonShare(at, count, level),
  bca: (sample: Sample, options: Options) => bootstrapMeanBca(sampleOf(sample), options as never),
  bcaShares: (options: Options) => bcaShares(options as never),
  bootstrap: (sample: Sample, options: Options) =>
    bootstrapMean(sampleOf(sample), options as never),
  bounded: (sample: Sample, options?: Options) => boundedMean(sampleOf(sample), options),
  mean: (sample: Sample, options?: Options) => meanOfScores(sampleOf(sample), options),
  differences: (sample: Sample, options?: Options) => meanOfDifferences(sampleOf(sample), options),
  clustered: (sample: Sample, clusters: Sample, options: object = {}) =>
    clusteredMean(sampleOf(sample), { clusters: sampleOf(clusters), ...options }),
  clusteredDifference: (sample: Sample, clusters: Sample, options: object = {}) =>
    clusteredDifference(sampleOf(sample), { clusters: sampleOf(clusters), seed: 1, ...options }),
  permutation: (sample: Sample, options: object = {}) =>
    permutationTest(sampleOf(sample), { seed: 1, ...options }),
  exactPermutation: (sample: Sample) => exactPermutation(sampleOf(sample)),
  signSums: (sample: Sample, variance: number, at: number) => {
    const sums = signSums(sampleOf(sample), variance);
    return [sums.shareBeyond(at), sums.reachOf(0.05), sums.reachOf(1e-9)];
  },
  holm: (values: readonly number[]) => holm(values),
  kappa: (yes: number, no: number, first: number, second: number, level?: number) =>
    cohenKappa({ bothYes: yes, bothNo: no, onlyFirst: first, onlySecond: second }, level),
  mcnemar: (onlyA: number, onlyB: number) => mcnemar({ onlyA, onlyB }),
  mcnemarPower: (onlyA: number, onlyB: number, pairs: number, level?: number) =>
    mcnemarPower({ onlyA, onlyB }, { pairs, level }),
  mcnemarPairs: (onlyA: number, onlyB: number, goal?: Options) =>
    mcnemarPairs({ onlyA, onlyB }, goal),
  mcnemarDetectable: (pairs: number, discordant: number, goal?: Options) =>
    mcnemarDetectable({ pairs, discordant }, goal),
  pairedPower: (effect: Options, options: Options) =>
    pairedMeanPower(effect as never, options as never),
  pairedPairs: (effect: Options, goal?: Options) => pairedMeanPairs(effect as never, goal),
  pairedDetectable: (options: Options, goal?: Options) =>
    pairedMeanDetectable(options as never, goal),
  rates: (onlyA: number, onlyB: number, pairs: number, level?: number) =>
    rateDifference({ onlyA, onlyB, pairs }, level),
  average: (estimates: readonly Measurement[], weights?: readonly number[], correlation?: number) =>
    groupAverage(estimates, {
      weights,
      ...(correlation !== undefined && {
        correlation: (one, other) => correlation / (1 + one + other),
      }),
    }),
  cells: ofCells(agreeing),
  meanOfCells: ofCells(meanOfCells),
  sums: (sample: Sample, clusters?: Sample, level?: number) =>
    measureCells(sumsOf(sample), { type: 'sums', measure: share, ...rowOptions(clusters, level) }),
  withinShares: (found: Measurement, level?: number) => withinShares(found, level),
  rowShares: (sample: Sample, kind: 'cells' | 'sums' | 'mean') => {
    if (kind === 'sums') return rowShares(sumsOf(sample), { type: 'sums', measure: share });
    const measure = kind === 'mean' ? meanOfCells : agreeing;
    return rowShares(sampleOf(sample).map(String), { type: 'cells', measure });
  },
  correlate: (one: Sample, other: Sample, units: Sample) => {
    const names = sampleOf(units).map(String);
    const unitAt = (place: number) => names[place] ?? '';
    const shares = [one, other].map((sample) => centeredShares(sampleOf(sample), unitAt));
    return [...shares, correlateShares(shares[0] ?? new Map(), shares[1] ?? new Map())];
  },
  units: (marks: readonly Parameters<RowUnits['add']>[0][]) => {
    const units = new RowUnits();
    for (const mark of marks) units.add(mark);
    return marks.map((mark) => units.unitOf(mark) ?? null);
  },
  pairedCells: (a: Sample, b: Sample, clusters?: Sample, options: object = {}) =>
    compareDatasetMetrics(
      {
        a: { type: 'cells', cells: Uint32Array.from(sampleOf(a)) },
        b: { type: 'cells', cells: Uint32Array.from(sampleOf(b)) },
        length: 4,
        measure: agreeing(['0', '1', '2', '3']),
        clusters: clusters ? sampleOf(clusters) : undefined,
        ...options,
      },
      { seed: 1 },
    ),
  pairedLeaning: (a: Sample, b: Sample, clusters?: Sample, options: object = {}) =>
    compareDatasetMetrics(
      {
        a: { type: 'cells', cells: Uint32Array.from(sampleOf(a)) },
        b: { type: 'cells', cells: Uint32Array.from(sampleOf(b)) },
        length: 6,
        measure: leaning(['0', '1', '2', '3', '4', '5']),
        clusters: clusters ? sampleOf(clusters) : undefined,
        ...options,
      },
      { seed: 1 },
    ),
  leaningCells: (sample: Sample, clusters: Sample, level?: number) => {
    const cells = sampleOf(sample).map(String);
    const settings = { type: 'cells', measure: leaning, level } as const;
    const own = sampleOf(clusters).map(String);
    return [measureCells(cells, settings), measureCells(cells, { ...settings, clusters: own })];
  },
  meanOf: (sample: Sample) => meanOf(sampleOf(sample)),
  meanOfCounts: (cells: readonly string[], counts: readonly number[]) => meanOfCells(cells)(counts),
  pairedSums: (a: Sample, b: Sample, clusters?: Sample, options: object = {}) =>
    compareDatasetMetrics(
      {
        a: { type: 'sums', sums: Float64Array.from(countsOf(a).flat()) },
        b: { type: 'sums', sums: Float64Array.from(countsOf(b).flat()) },
        length: 2,
        measure: share,
        clusters: clusters ? sampleOf(clusters) : undefined,
        ...options,
      },
      { seed: 1, level: 0.9 },
    ),
  scoreTally: (sample: Sample, options?: Options) => {
    const tally = new ScoreTally();
    for (const value of sampleOf(sample)) tally.add(value);
    const copy = tally.copy();
    copy.add(1);
    return [tally.size, tally.estimate(options), copy.estimate(options)];
  },
  cellTally: (sample: Sample, other: Sample, options: Options) => {
    const [one, two] = [sample, other].map((cells) => {
      const tally = new CellTally();
      for (const cell of sampleOf(cells)) tally.add(String(cell));
      return tally;
    });
    if (!one || !two) return undefined;
    const both = one.with(two);
    return [
      one.isFull,
      both.isFull,
      ...[one, both].map((tally) => tally.estimate(agreeing, options as never)),
    ];
  },
  sumTally: (sample: Sample, other: Sample, level?: number) => {
    const [one, two] = [sample, other].map((rows, side) => {
      const tally = new SumTally(3);
      for (const [row, counts] of countsOf(rows).entries()) tally.add(`${side}/${row}`, counts);
      return tally;
    });
    if (!one || !two) return undefined;
    const both = one.with(two);
    return [one, two, both].map((tally) => [tally.size, tally.estimate(share, { level })]);
  },
  clusterTallies: (
    sample: Sample,
    clusters: Sample,
    range: readonly [number, number],
    level?: number,
  ) => {
    const names = sampleOf(clusters);
    const [scores, more] = [new ClusterScoreTally(range), new ClusterScoreTally(range)];
    const [cells, others] = [new ClusterCellTally(), new ClusterCellTally()];
    const [sums, rest] = [new ClusterSumTally(5), new ClusterSumTally(5)];
    const counts = countsOf(sample);
    for (const [place, value] of sampleOf(sample).entries()) {
      const name = names[place] ?? 0;
      scores.add(value, name);
      if (place % 2 === 0) more.add(value, String(name));
      (place % 3 === 0 ? others : cells).add(String(value), name);
      (name % 2 === 0 ? rest : sums).add(name, counts[place] ?? []);
    }
    const options = { range, level, seed: 1, resamples: 200 };
    return [
      [scores.clusters, scores.size, scores.estimate({ level }), more.copy().estimate({ level })],
      [cells, cells.with(others)].map((tally) => [tally.isFull, tally.estimate(agreeing, options)]),
      [sums, sums.with(rest)].map((tally) => [tally.size, tally.estimate(share, options)]),
    ];
  },
  variance: (
    levels: readonly number[],
    sample: Sample,
    interactions?: readonly (readonly string[])[],
  ) =>
    varianceComponents({
      factors: levels.map((count, index) => ({ name: 'abc'.charAt(index), levels: count })),
      values: sampleOf(sample),
      interactions,
    }),
};

export type Work = readonly [name: keyof typeof works, ...inputs: unknown[]];

/** What comes of it, if it is not refused. */
export function workOut([name, ...inputs]: Work): unknown {
  try {
    const given = inputs.map((input) => input ?? undefined);
    return (works[name] as (...inputs: unknown[]) => unknown)(...given);
  } catch {
    return { refused: true };
  }
}
