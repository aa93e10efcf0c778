import type { CellSettings } from './sweep-summary.ts';

/** How evenly scores of one row are split: 0 if all are alike. */
export function evennessOf(scores: readonly number[]): number {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  return squares < 1e-12 ? 0 : squares;
}

/** For each cell a number; cells that differ in the template alone have the same. */
export function templateGroups(cells: readonly { readonly settings: CellSettings }[]): number[] {
  const keys = cells.map(({ settings: { template: _, ...rest } }) => JSON.stringify(rest));
  const known = [...new Set(keys)];
  return keys.map((key) => known.indexOf(key));
}
