import { clusteredDifference } from '../../stats/clustered-difference.ts';
import { hasInterval, type Measurement } from '../../stats/estimate.ts';
import { exactPermutation } from '../../stats/exact-permutation.ts';
import { holm } from '../../stats/holm.ts';
import { type DiscordantPairs, mcnemar } from '../../stats/mcnemar.ts';
import { meanOfDifferences } from '../../stats/mean-estimate.ts';
import { rateDifference } from '../../stats/paired-rates.ts';
import { permutationTest } from '../../stats/permutation.ts';
import { isBinary, rangeOf, type ScoredKind } from './mean-score.ts';
import { averageRows, countUnits, type Sheet, valuesOf } from './sheet.ts';
import { type AxisName, axisNames, type ValueComparison } from './sweep-summary.ts';

export const level = 0.95;
const seed = 0;

/** Seeds stand for chance: which of them is the better one means nothing. */
export const comparedAxes = axisNames.filter((axis) => axis !== 'seed');

/**
 * With fewer rows than this none of so many comparisons can be significant, whatever the scores: all
 * choices of signs are more likely than that.
 */
export function fewestRows(comparisons: number): number {
  return Math.ceil(1 + Math.log2(Math.max(1, comparisons) / (1 - level)));
}

type Unadjusted = Omit<ValueComparison, 'adjustedP' | 'isDifferent'>;

/** Compares all values of all axes of each sheet; the p values are adjusted for all of them. */
export function compareValues(sheets: readonly Sheet[]): ValueComparison[][] {
  const tested = sheets.map((sheet) =>
    countUnits(sheet) < fewestRows(1) ? [] : comparedAxes.flatMap((axis) => pairsOf(sheet, axis)),
  );
  const count = tested.flat().length;
  const found = tested.map((pairs, place) => {
    const sheet = sheets[place];
    return sheet ? pairs.flatMap((pair) => comparePair(sheet, pair, count) ?? []) : [];
  });
  const adjusted = holm(found.flat().map(({ p }) => p));
  let place = 0;
  return found.map((comparisons) =>
    comparisons.map((comparison) => {
      const adjustedP = adjusted[place++] ?? 1;
      const isDifferent = adjustedP <= 1 - level && leavesOutZero(comparison.difference);
      return { ...comparison, adjustedP, isDifferent };
    }),
  );
}

interface Pair {
  readonly axis: AxisName;
  readonly a: string;
  readonly b: string;
}

function pairsOf(sheet: Sheet, axis: AxisName): Pair[] {
  const values = valuesOf(sheet, axis);
  return values.flatMap((a, place) => values.slice(place + 1).map((b) => ({ axis, a, b })));
}

function comparePair(sheet: Sheet, pair: Pair, comparisons: number): Unadjusted | undefined {
  const a = averageRows(sheet, pair.axis, pair.a);
  const b = averageRows(sheet, pair.axis, pair.b);
  const differences = differencesOf({ a, b });
  const { plain, clusters } = sheet;
  if (clusters) {
    const { difference, p } = compareClusters({ a, b, plain, clusters }, level, {
      resamples: resamplesFor(comparisons),
      steps: stepsOf(sheet, pair),
    });
    return { ...pair, difference, test: 'permutation', p };
  }
  const difference = differenceOf({ a, b, plain }, level);
  if (!isBinary(a) || !isBinary(b)) {
    const p = exactP(sheet, pair, differences) ?? drawnP(differences, comparisons);
    return difference && { ...pair, difference, test: 'permutation', p };
  }
  const p = mcnemar(countDiscordant({ a, b })).exact;
  return difference && { ...pair, difference, test: 'mcnemar', p };
}

/** The scores of the same rows on two sides. */
export interface Sides extends ScoredKind {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** How much higher the mean of B is than that of A; nothing without rows. */
export function differenceOf(sides: Sides, atLevel: number): Measurement | undefined {
  const { a, b, plain } = sides;
  if (sides.clusters) return compareClusters(sides, atLevel).difference;
  if (!plain && isBinary(a) && isBinary(b)) {
    return rateDifference({ ...countDiscordant({ a, b }), pairs: a.length }, atLevel);
  }
  const [lowest, highest] = rangeOf({ plain });
  const range = [lowest - highest, highest - lowest] as const;
  return meanOfDifferences(differencesOf({ a, b }), { range, level: atLevel });
}

interface ClusterTest {
  readonly resamples?: number | undefined;
  /** What makes whole numbers of the differences, if anything does. */
  readonly steps?: number | undefined;
}

/** The same for rows in clusters, which turn their signs together, with the test. */
export function compareClusters(
  sides: Sides,
  atLevel: number,
  { resamples, steps }: ClusterTest = {},
): { readonly difference: Measurement; readonly p: number } {
  const differences = differencesOf(sides);
  const [lowest, highest] = rangeOf(sides);
  const found = clusteredDifference(differences, {
    clusters: sides.clusters?.names ?? [],
    level: atLevel,
    largest: highest - lowest,
    seed,
    resamples,
    steps: isBinary(sides.a) && isBinary(sides.b) ? 1 : steps,
  });
  const value = differences.reduce((sum, one) => sum + one, 0) / differences.length;
  return { difference: found.difference ?? { value, interval: 'too few' }, p: found.p };
}

function differencesOf({ a, b }: Sides): Float64Array {
  return b.map((score, row) => score - (a[row] ?? 0));
}

/** Rows that are right on one side only. */
export function countDiscordant(sides: Sides): DiscordantPairs {
  const differences = differencesOf(sides);
  return {
    onlyA: differences.filter((one) => one < 0).length,
    onlyB: differences.filter((one) => one > 0).length,
  };
}

export function leavesOutZero(difference: Measurement | undefined): boolean {
  return hasInterval(difference) && (difference.low > 0 || difference.high < 0);
}

/** Averages of right and wrong are counts of right ones; of counts all signs can be gone through. */
function exactP(sheet: Sheet, pair: Pair, differences: Float64Array): number | undefined {
  const steps = stepsOf(sheet, pair);
  if (steps === undefined) return undefined;
  return exactPermutation(differences.map((difference) => Math.round(difference * steps)));
}

/** How many cells scores are averaged over, if those are right or wrong. */
function stepsOf({ cells }: Sheet, { axis, a }: Pair): number | undefined {
  if (!cells.every(({ scores }) => isBinary(scores))) return undefined;
  return cells.filter(({ settings }) => settings[axis] === a).length;
}

function drawnP(differences: Float64Array, comparisons: number): number {
  return permutationTest(differences, { seed, resamples: resamplesFor(comparisons) }).p;
}

/** A drawn p value is at least one of the number drawn: adjusted, that must not be too much. */
export function resamplesFor(comparisons: number): number {
  return Math.max(9999, 40 * comparisons);
}
