import { rowScoreKind } from '../../run/metric-tally.ts';
import { rowTraits } from '../../score/scorer.ts';
import { readLoggedRows } from '../compare/logged-rows.ts';
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
  const { modelName, scorer } = first.stored.evaluation;
  const kind = rowScoreKind(scorer);
  return { model: modelName, dataset: first.cell.dataset, ...kind, ...pairCells(logged, kind) };
}
