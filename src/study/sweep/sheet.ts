import { countOf } from '../../base/format.ts';
import type { RowClusters } from '../compare/paired-test.ts';
import type { AxisName, CellSettings, ScoreKind } from './sweep-summary.ts';

/** The scores of one cell, one for each row of its sheet. */
export interface CellScores {
  readonly abbr: string;
  readonly settings: CellSettings;
  readonly scores: Float64Array;
}

/** One model on one dataset: every cell has a score for each of the same rows. */
export interface Sheet extends ScoreKind {
  readonly model: string;
  readonly dataset: string;
  /** The numbers of the rows. */
  readonly ids: readonly number[];
  readonly cells: readonly CellScores[];
  /** Where rows come in clusters: that of each row. */
  readonly clusters?: RowClusters | undefined;
  /** What the scores do not show. */
  readonly remarks: readonly string[];
}

/** The values of an axis that occur in a sheet, in their order. */
export function valuesOf(
  { cells }: { readonly cells: readonly Pick<CellScores, 'settings'>[] },
  axis: AxisName,
): string[] {
  return [...new Set(cells.flatMap(({ settings }) => settings[axis] ?? []))];
}

/** The score of each row at one value of an axis, averaged over everything else. */
export function averageRows(sheet: Sheet, axis: AxisName, value: string): Float64Array {
  const chosen = sheet.cells.filter(({ settings }) => settings[axis] === value);
  return Float64Array.from(
    sheet.ids,
    (_, row) => chosen.reduce((sum, { scores }) => sum + (scores[row] ?? 0), 0) / chosen.length,
  );
}

/** How many rows, or clusters of rows, there are to go by. */
export function countUnits({ ids, clusters }: Pick<Sheet, 'ids' | 'clusters'>): number {
  return clusters ? new Set(clusters.names).size : ids.length;
}

/** `40 rows`, or `8 clusters` of them. */
export function describeUnits(sheet: Pick<Sheet, 'ids' | 'clusters'>): string {
  return countOf(countUnits(sheet), sheet.clusters ? 'cluster' : 'row');
}
