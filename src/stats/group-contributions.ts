import { requireThat } from './check.ts';
import type { ClusterName } from './cluster-sums.ts';

/** What the rows of one side add to a measure of all of them: a cell each, or numbers each. */
export type Contributions =
  | { readonly type: 'cells'; readonly cells: Uint32Array }
  | { readonly type: 'sums'; readonly sums: Float64Array };

/** The same for rows, or for clusters: of those, how often each has which cells. */
export type UnitContributions =
  | Contributions
  | {
      readonly type: 'tables';
      readonly tables: readonly (readonly (readonly [cell: number, count: number])[])[];
    };

export interface ClusteredContributions {
  /** The cluster of each row. */
  readonly clusters: ArrayLike<ClusterName>;
  /** How many cells, or numbers a row, there are. */
  readonly length: number;
}

/** What clusters of rows add, in the order in which they come first. */
export function groupContributions(
  contributions: Contributions,
  { clusters, length }: ClusteredContributions,
): UnitContributions {
  const places = new Map<ClusterName, number>();
  const placeOf = Array.from(clusters, (cluster) => {
    const place = places.get(cluster) ?? places.size;
    places.set(cluster, place);
    return place;
  });
  const rows =
    contributions.type === 'cells'
      ? contributions.cells.length
      : contributions.sums.length / length;
  requireThat(
    placeOf.length === rows,
    `${rows} rows cannot be in ${placeOf.length} clusters one by one`,
  );
  if (contributions.type === 'sums') {
    const sums = new Float64Array(places.size * length);
    for (const [index, number] of contributions.sums.entries()) {
      const at = (placeOf[Math.floor(index / length)] ?? 0) * length + (index % length);
      sums[at] = (sums[at] ?? 0) + number;
    }
    return { type: 'sums', sums };
  }
  const tables = Array.from(places, () => new Map<number, number>());
  for (const [row, cell] of contributions.cells.entries()) {
    const table = tables[placeOf[row] ?? 0];
    table?.set(cell, (table.get(cell) ?? 0) + 1);
  }
  return { type: 'tables', tables: tables.map((table) => [...table]) };
}
