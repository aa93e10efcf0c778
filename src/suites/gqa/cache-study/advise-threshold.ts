import type { StudyCounts } from './tally.ts';

/** What a cache does at a threshold. */
export interface ThresholdCounts extends StudyCounts {
  readonly threshold: number;
}

/**
 * The lowest threshold that keeps wrong answers under a share, or why none can be named: hits at the
 * highest threshold are wrong too often (`too many wrong`), or may be for all that is known (`too few`).
 */
export type Advice =
  | { readonly type: 'keeps'; readonly maxWrong: number; readonly point: ThresholdCounts }
  | {
      readonly type: 'too many wrong' | 'too few';
      readonly maxWrong: number;
      /** The highest threshold with judged hits. */
      readonly point?: ThresholdCounts | undefined;
    };

/**
 * Goes down from the highest threshold as long as the interval of the wrong share stays under the
 * limit, and stops where it does not: so the last one holds at the level of one interval, however
 * many were looked at.
 */
export function adviseThreshold(sweep: readonly ThresholdCounts[], maxWrong: number): Advice {
  const judged = sweep
    .filter(({ judged }) => judged > 0)
    .toSorted((left, right) => right.threshold - left.threshold);
  const failing = judged.findIndex(({ wrongShare }) => !wrongShare || wrongShare.high > maxWrong);
  const point = judged.at(failing < 0 ? -1 : failing - 1);
  if (failing !== 0 && point) return { type: 'keeps', maxWrong, point };
  const [highest] = judged;
  const isWrong = highest?.wrongShare !== undefined && highest.wrongShare.low > maxWrong;
  return { type: isWrong ? 'too many wrong' : 'too few', maxWrong, point: highest };
}
