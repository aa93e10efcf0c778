import type { ScoredRows } from './task-score.ts';

/** What rows that ended alike on both sides, or a cluster of rows, add to a difference, each of so many. */
export interface Share {
  readonly size: number;
  readonly count: number;
}

export interface PairedDifference {
  readonly value: number;
  /** They add up to the value. */
  readonly shares: readonly Share[];
  readonly pairs: number;
  /** Rows that only one side has. */
  readonly unpaired: number;
}

const rounding = 1e-12;

/**
 * The difference of two scores over the rows that both sides have, and what each row adds to it: for
 * a mean its own difference, for other measures its pseudo-value (Tukey's jackknife). Rows in clusters
 * add what their cluster does. Nothing without such rows.
 */
export function pairedShares(left: ScoredRows, right: ScoredRows): PairedDifference | undefined {
  const counts = new Map<string, Map<string, number>>();
  let pairs = 0;
  for (const [key, cell] of left.cells) {
    const other = right.cells.get(key);
    if (other === undefined) continue;
    pairs += 1;
    const own = counts.get(cell) ?? new Map<string, number>();
    counts.set(cell, own.set(other, (own.get(other) ?? 0) + 1));
  }
  if (pairs === 0) return undefined;
  const kinds = [...counts].flatMap(([cell, own]) =>
    [...own].map(([other, count]) => ({ cell, other, count })),
  );
  const ofLeft = left.measure(kinds.map(({ cell }) => cell));
  const ofRight = right.measure(kinds.map(({ other }) => other));
  const table = Float64Array.from(kinds, ({ count }) => count);
  const difference = () => ofLeft(table) - ofRight(table);
  const value = difference();
  const shares = kinds.map(({ count }, index): Share => {
    if (pairs === 1) return { size: value, count };
    table[index] = count - 1;
    const without = difference();
    table[index] = count;
    const size = (value + (pairs - 1) * (value - without)) / pairs;
    return { size: Math.abs(size) < rounding ? 0 : size, count };
  });
  const unpaired = left.cells.size + right.cells.size - 2 * pairs;
  const clusters = left.clusters ?? right.clusters;
  if (!clusters) return { value, shares, pairs, unpaired };
  const sizes = new Map(
    kinds.map(({ cell, other }, index) => [kindOf(cell, other), shares[index]?.size ?? 0]),
  );
  const sizeOf = (key: string) =>
    sizes.get(kindOf(left.cells.get(key) ?? '', right.cells.get(key) ?? '')) ?? 0;
  const paired = [...left.cells.keys()].filter((key) => right.cells.has(key));
  return { value, shares: clusterShares(paired, { clusters, sizeOf }), pairs, unpaired };
}

function kindOf(cell: string, other: string): string {
  return JSON.stringify([cell, other]);
}

interface ClusteredRows {
  readonly clusters: ReadonlyMap<string, string>;
  readonly sizeOf: (key: string) => number;
}

/** What whole clusters add. */
function clusterShares(keys: readonly string[], { clusters, sizeOf }: ClusteredRows): Share[] {
  const sums = new Map<string, number>();
  for (const key of keys) {
    const cluster = clusters.get(key) ?? key;
    sums.set(cluster, (sums.get(cluster) ?? 0) + sizeOf(key));
  }
  return Array.from(sums.values(), (size) => ({
    size: Math.abs(size) < rounding ? 0 : size,
    count: 1,
  }));
}
