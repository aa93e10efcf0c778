import { rowScoreKind } from '../../run/metric-tally.ts';
import { rowTraits } from '../../score/row-score.ts';
import { readLoggedRows } from '../compare/logged-rows.ts';
import type { RowClusters } from '../compare/paired-test.ts';
import type { CellEvaluation } from './cell-evaluation.ts';
import { type LoggedCell, pairCells } from './pair-cells.ts';
import type { Sheet } from './sheet.ts';

/** The scores that the logs of some cells hold, on the rows that pair. */
export async function readSheet(cells: readonly CellEvaluation[]): Promise<Sheet> {
  const [first] = cells;
  if (!first) throw new RangeError('a sheet without cells');
  const logged: LoggedCell[] = [];
  for (const { cell, stored } of cells) {
    logged.push({
      cell,
      rows: await readLoggedRows(stored, rowTraits(stored.evaluation.scorer).range),
    });
  }
  const { modelName, scorer, task } = first.stored.evaluation;
  const kind = rowScoreKind(scorer);
  const paired = pairCells(logged, kind);
  const clusters = task.clusterBy !== undefined && {
    clusters: clustersOf(paired, logged, task.clusterBy),
  };
  return { model: modelName, dataset: first.cell.dataset, ...kind, ...paired, ...clusters };
}

/** Rows are the same in all cells, so the first that has a row tells its cluster. */
function clustersOf(
  { ids }: Pick<Sheet, 'ids'>,
  logged: readonly LoggedCell[],
  by: string,
): RowClusters {
  const [first] = logged;
  const names = ids.map((id) => {
    const { rows } = logged.find((one) => one.rows.has(id)) ?? first ?? {};
    return rows?.clusterOf(id) ?? '';
  });
  return { by, names };
}
