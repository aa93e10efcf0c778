import type { LoggedRows } from './logged-rows.ts';
import type { RowPair } from './pair-rows.ts';

interface FlipSettings {
  readonly a: LoggedRows;
  readonly b: LoggedRows;
  readonly limit: number;
}

export interface ChosenFlips {
  readonly total: number;
  readonly chosen: readonly RowPair[];
}

/** Rows whose score changed, the largest changes first, both directions in turn. */
export function chooseFlips(pairs: readonly RowPair[], { a, b, limit }: FlipSettings): ChosenFlips {
  const changeOf = (pair: RowPair) => b.scoreOf(pair.b) - a.scoreOf(pair.a);
  const largestFirst = (x: RowPair, y: RowPair) =>
    Math.abs(changeOf(y)) - Math.abs(changeOf(x)) || x.a - y.a;
  const higher = pairs.filter((pair) => changeOf(pair) > 0).sort(largestFirst);
  const lower = pairs.filter((pair) => changeOf(pair) < 0).sort(largestFirst);
  const chosen: RowPair[] = [];
  for (let place = 0; chosen.length < limit && place < pairs.length; place += 1) {
    for (const pair of [higher[place], lower[place]]) {
      if (pair && chosen.length < limit) chosen.push(pair);
    }
  }
  return { total: higher.length + lower.length, chosen };
}
