import type { ScoreKind } from './sweep-summary.ts';

/** What adding up and dividing leaves in the last places, as a share of the scores. */
const roundingShare = 1e-12;

/**
 * Whether two means of the same rows are equal but for rounding. Means of scores k / m over n rows
 * that differ at all differ by 1 / (n · m) at least, which is far more than rounding makes of them.
 */
export function isSame(first: number, second: number): boolean {
  const size = Math.max(1, Math.abs(first), Math.abs(second));
  return Math.abs(first - second) <= roundingShare * size;
}

/** The places of the highest of some totals, several if they tie. */
export function findHighest(totals: readonly number[]): number[] {
  const highest = Math.max(...totals);
  return totals.flatMap((total, place) => (isSame(total, highest) ? [place] : []));
}

/** Orders scores, better ones first. */
export function compareScores(first: number, second: number, { direction }: ScoreKind): number {
  if (isSame(first, second)) return 0;
  return direction === 'lower' ? first - second : second - first;
}
