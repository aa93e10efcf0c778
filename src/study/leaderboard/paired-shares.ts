import { rowShares } from '../../stats/row-shares.ts';
import type { ScoredRows } from './task-score.ts';

export interface PairedDifference {
  readonly value: number;
  /** What each row that both sides have adds to the value, by its name. */
  readonly shares: ReadonlyMap<string, number>;
  /** Rows that only one side has. */
  readonly unpaired: number;
}

/**
 * The difference of two scores over the rows that both sides have, and what each row adds to it.
 * Nothing without such rows.
 */
export function pairedShares(left: ScoredRows, right: ScoredRows): PairedDifference | undefined {
  const names = [...left.cells.keys()].filter((name) => right.cells.has(name));
  if (names.length === 0) return undefined;
  const [ofLeft, ofRight] = [left, right].map(({ cells, measure }) =>
    rowShares(
      names.map((name) => cells.get(name) ?? ''),
      measure,
    ),
  ) as [ReturnType<typeof rowShares>, ReturnType<typeof rowShares>];
  return {
    value: ofLeft.value - ofRight.value,
    shares: new Map(
      names.map((name, place) => [
        name,
        (ofLeft.shares[place] ?? 0) - (ofRight.shares[place] ?? 0),
      ]),
    ),
    unpaired: left.cells.size + right.cells.size - 2 * names.length,
  };
}
