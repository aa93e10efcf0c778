import { type AxisName, axisNames, type ValueComparison } from '../run/sweep-summary.ts';
import {
  bootstrapMeanBca,
  holm,
  mcnemar,
  permutationTest,
  rateDifference,
} from '../stats/index.ts';
import { isBinary } from './mean-score.ts';
import { averageRows, type Sheet, valuesOf } from './sheet.ts';

export const level = 0.95;
const seed = 0;

/**
 * With fewer rows than this no comparison of two can be significant, whatever the scores: all
 * choices of signs are more likely than that.
 */
export const fewestRows = Math.ceil(1 + Math.log2(1 / (1 - level)));

type Unadjusted = Omit<ValueComparison, 'adjustedP' | 'isDifferent'>;

/** Compares all values of all axes of each sheet; the p values are adjusted for all of them. */
export function compareValues(sheets: readonly Sheet[]): ValueComparison[][] {
  const found = sheets.map((sheet) =>
    sheet.ids.length < fewestRows ? [] : axisNames.flatMap((axis) => compareAxis(sheet, axis)),
  );
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

function compareAxis(sheet: Sheet, axis: AxisName): Unadjusted[] {
  const levels = valuesOf(sheet, axis).map((value) => ({
    value,
    rows: averageRows(sheet, axis, value),
  }));
  return levels.flatMap((a, place) =>
    levels.slice(place + 1).flatMap((b) => {
      const result = comparePair(a.rows, b.rows);
      return result ? [{ axis, a: a.value, b: b.value, ...result }] : [];
    }),
  );
}

function comparePair(
  a: Float64Array,
  b: Float64Array,
): Pick<ValueComparison, 'difference' | 'test' | 'p'> | undefined {
  const differences = b.map((score, row) => score - (a[row] ?? 0));
  if (!isBinary(a) || !isBinary(b)) {
    const difference = bootstrapMeanBca(differences, { seed });
    const { p } = permutationTest(differences, { seed });
    return difference && { difference, test: 'permutation', p };
  }
  const onlyA = differences.filter((one) => one < 0).length;
  const onlyB = differences.filter((one) => one > 0).length;
  const difference = rateDifference({ onlyA, onlyB, pairs: a.length });
  return difference && { difference, test: 'mcnemar', p: mcnemar({ onlyA, onlyB }).exact };
}
