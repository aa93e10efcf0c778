import { centeredShares, correlateShares, type UnitShares } from '../../stats/correlate-rows.ts';
import { rowShares } from '../../stats/row-shares.ts';
import type { ScoredRows, TaskScore } from './task-score.ts';

/** What varies by itself: the unit of each row, by the row's name. Rows of one unit belong together. */
export type RowUnits = (name: string) => string;

/**
 * Finds the units of all rows. Rows are one unit if they hold the same, or stand at the same place of
 * the same file, whichever task asks them; and so are rows of one cluster.
 */
export function findUnits(scores: readonly Pick<TaskScore, 'task' | 'rows'>[]): RowUnits {
  const parents = new Map<string, string>();
  const rootOf = (node: string): string => {
    let root = node;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== node) parents.set(node, root);
    return root;
  };
  const join = (one: string, other: string) => {
    const [left, right] = [rootOf(one), rootOf(other)];
    if (left !== right) parents.set(right, left);
  };
  for (const { task, rows } of scores) {
    for (const [name, place] of rows?.places ?? []) join(`row ${name}`, `place ${place}`);
    for (const [name, cluster] of rows?.clusters ?? [])
      join(`row ${name}`, `cluster ${task}\n${cluster}`);
  }
  return (name) => rootOf(`row ${name}`);
}

/** How the scores of some tasks vary together because they are over the same rows. */
export function correlationOf(
  scores: readonly Pick<TaskScore, 'rows'>[],
  units: RowUnits,
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

function sharesOf(rows: ScoredRows | undefined, units: RowUnits): UnitShares | undefined {
  if (!rows) return undefined;
  const names = [...rows.cells.keys()];
  const { shares } = rowShares([...rows.cells.values()], rows.measure);
  return centeredShares(shares, (place) => units(names[place] ?? ''));
}
