import { bootstrapMeanBca } from '../../stats/bca.ts';
import type { Estimate } from '../../stats/estimate.ts';
import { exactPermutation } from '../../stats/exact-permutation.ts';
import { holm } from '../../stats/holm.ts';
import { mcnemar } from '../../stats/mcnemar.ts';
import { rateDifference } from '../../stats/paired-rates.ts';
import { permutationTest } from '../../stats/permutation.ts';
import { wilson } from '../../stats/wilson.ts';
import { areShares, isBinary } from './mean-score.ts';
import { averageRows, type Sheet, valuesOf } from './sheet.ts';
import { type AxisName, axisNames, type ValueComparison } from './sweep-summary.ts';

export const level = 0.95;
const seed = 0;

/** Seeds stand for chance: which of them is the better one means nothing. */
const comparedAxes = axisNames.filter((axis) => axis !== 'seed');

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
    sheet.ids.length < fewestRows(1) ? [] : comparedAxes.flatMap((axis) => pairsOf(sheet, axis)),
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
      const { low, high } = comparison.difference;
      const isDifferent = adjustedP <= 1 - level && (low > 0 || high < 0);
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
  const differences = b.map((score, row) => score - (a[row] ?? 0));
  if (!isBinary(a) || !isBinary(b)) {
    const difference =
      alikeDifference(sheet, differences) ?? bootstrapMeanBca(differences, { seed });
    const p = exactP(sheet, pair, differences) ?? drawnP(differences, comparisons);
    return difference && { ...pair, difference, test: 'permutation', p };
  }
  const onlyA = differences.filter((one) => one < 0).length;
  const onlyB = differences.filter((one) => one > 0).length;
  const difference = rateDifference({ onlyA, onlyB, pairs: a.length });
  const p = mcnemar({ onlyA, onlyB }).exact;
  return difference && { ...pair, difference, test: 'mcnemar', p };
}

/**
 * Resampling differences that are all alike would find no uncertainty. As many rows as may have been
 * missed by chance could differ as much as scores from 0 to 1 can.
 */
function alikeDifference({ cells }: Sheet, differences: Float64Array): Estimate | undefined {
  const [value = 0] = differences;
  const isAlike = differences.every((difference) => Math.abs(difference - value) < 1e-12);
  if (!isAlike || !cells.every(({ scores }) => areShares(scores))) return undefined;
  const missed = wilson(0, differences.length)?.high ?? 1;
  const seen = (1 - missed) * value;
  return { value, low: seen - missed, high: seen + missed, level, method: 'wilson' };
}

/** Averages of right and wrong are counts of right ones; of counts all signs can be gone through. */
function exactP(sheet: Sheet, { axis, a }: Pair, differences: Float64Array): number | undefined {
  if (!sheet.cells.every(({ scores }) => isBinary(scores))) return undefined;
  const cells = sheet.cells.filter(({ settings }) => settings[axis] === a).length;
  return exactPermutation(differences.map((difference) => Math.round(difference * cells)));
}

function drawnP(differences: Float64Array, comparisons: number): number {
  return permutationTest(differences, { seed, resamples: resamplesFor(comparisons) }).p;
}

/** A drawn p value is at least one of the number drawn: adjusted, that must not be too much. */
export function resamplesFor(comparisons: number): number {
  return Math.max(9999, 40 * comparisons);
}
