import { type CellScores, valuesOf } from './sheet.ts';
import { axisNames } from './sweep-summary.ts';

type Cell = Pick<CellScores, 'settings'>;

/**
 * The cells in which every value of an axis meets every value of the others. Where some are missing,
 * the values that miss most are left out: a template must not gain by lacking what is hard. Of two
 * values that miss as much, that of a template stays.
 */
export function crossedCells<Own extends Cell>(cells: readonly Own[]): readonly Own[] {
  let left = cells;
  for (;;) {
    const axes = axisNames
      .map((axis) => ({ axis, values: valuesOf({ cells: left }, axis) }))
      .filter(({ values }) => values.length > 0);
    const size = axes.reduce((product, { values }) => product * values.length, 1);
    if (left.length >= size || axes.length === 0) return left;
    const filled = axes
      .toReversed()
      .filter(({ values }) => values.length > 1)
      .flatMap(({ axis, values }) =>
        values.map((value) => {
          const own = left.filter(({ settings }) => settings[axis] === value);
          return { own, share: own.length / (size / values.length) };
        }),
      );
    const emptiest = filled.reduce((least, one) => (one.share < least.share ? one : least));
    left = left.filter((cell) => !emptiest.own.includes(cell));
  }
}
