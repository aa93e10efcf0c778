import { share } from './metric.ts';

/** An answer's chance of being positive, and whether it is. */
export type ScoredCase = readonly [isPositive: boolean, chance: number];

/**
 * Area under the ROC curve: how often a positive case has a higher chance than a negative one, ties
 * counting half. Nothing unless there are both.
 *
 * @example
 * rocAuc([[true, 0.9], [false, 0.4], [true, 0.3], [false, 0.2]]); // 0.75
 */
export function rocAuc(
  cases: readonly ScoredCase[],
  times: ArrayLike<number> = new Float64Array(cases.length).fill(1),
): number | undefined {
  const order = cases
    .map(([isPositive, chance], index) => ({ isPositive, chance, count: times[index] ?? 0 }))
    .sort((left, right) => left.chance - right.chance);
  let [positives, negatives, wins] = [0, 0, 0];
  for (let start = 0; start < order.length; ) {
    const { chance } = order[start] ?? { chance: 0 };
    let [tiedPositives, tiedNegatives] = [0, 0];
    for (; order[start]?.chance === chance; start += 1) {
      const { isPositive, count } = order[start] ?? { isPositive: false, count: 0 };
      if (isPositive) tiedPositives += count;
      else tiedNegatives += count;
    }
    wins += tiedPositives * (negatives + tiedNegatives / 2);
    positives += tiedPositives;
    negatives += tiedNegatives;
  }
  return positives === 0 || negatives === 0 ? undefined : wins / (positives * negatives);
}

// Enough to tell answers apart, and few enough different cells.
const digits = 3;
const furthest = 1e6;

/**
 * The area under the ROC curve of all rows, from cells that say what was right and the logarithm of
 * the odds of being positive: chances near 1 would round to the same.
 */
export const areaUnderRoc = {
  ...share('auc'),
  cellOf(isPositive: boolean, logOdds: number): string {
    const kept = Math.max(-furthest, Math.min(furthest, logOdds));
    return JSON.stringify([isPositive, Number(kept.toPrecision(digits))]);
  },
  measure(cells: readonly string[]): (counts: ArrayLike<number>) => number {
    const cases = cells.map((cell): ScoredCase => JSON.parse(cell));
    return (counts) => rocAuc(cases, counts) ?? Number.NaN;
  },
};
