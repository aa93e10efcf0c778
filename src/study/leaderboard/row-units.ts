import { centeredShares, correlateShares, type UnitShares } from '../../stats/correlate-rows.ts';
import { rowShares } from '../../stats/row-shares.ts';
import { RowUnits } from '../../stats/row-units.ts';
import type { ScoredRows, TaskScore } from './task-score.ts';

/** What varies by itself: the unit of each row, by the row's name. Rows of one unit belong together. */
export type UnitOfRow = (name: string) => string;

/** Finds the units of all rows, whichever task asks them. */
export function findUnits(scores: readonly Pick<TaskScore, 'rows'>[]): UnitOfRow {
  const units = new RowUnits();
  const contents = new Map<string, string>();
  for (const { rows } of scores) {
    for (const [name, content] of rows?.copies ?? []) contents.set(name, content);
    for (const name of rows?.cells.keys() ?? []) {
      units.add({
        content: rows?.copies?.get(name) ?? name,
        place: rows?.places?.get(name),
        cluster: rows?.clusters?.get(name),
      });
    }
  }
  return (name) => units.unitOf({ content: contents.get(name) ?? name }) ?? name;
}

/** How the scores of some tasks vary together because they are over the same rows. */
export function correlationOf(
  scores: readonly Pick<TaskScore, 'rows'>[],
  units: UnitOfRow,
): (one: number, other: number) => number {
  const known = new Map<number, UnitShares | undefined>();
  const sharesAt = (place: number) => {
    if (!known.has(place)) known.set(place, sharesOf(scores[place]?.rows, units));
    return known.get(place);
  };
  return (one, other) => {
    const [left, right] = [sharesAt(one), sharesAt(other)];
    return left && right ? correlateShares(left, right) : 0;
  };
}

function sharesOf(rows: ScoredRows | undefined, units: UnitOfRow): UnitShares | undefined {
  if (!rows) return undefined;
  const names = [...rows.cells.keys()];
  const { shares } = rowShares([...rows.cells.values()], rows.measure);
  return centeredShares(shares, (place) => units(names[place] ?? ''));
}
