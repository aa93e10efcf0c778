import { rowScoreKind } from '../../run/metric-tally.ts';
import type { SweepCell } from '../../sweep/expand-cells.ts';
import type { Sheet } from '../../sweep/sheet.ts';
import { readLoggedRows } from '../compare/logged-rows.ts';
import type { BuiltModel, BuiltTask } from '../run/build-tasks.ts';
import { type LoggedCell, pairCells } from './pair-cells.ts';

/** A cell with the task that asks it. */
export interface CellTask {
  readonly cell: SweepCell;
  readonly task: BuiltTask;
}

/** The tasks of a model by data set; those of a sweep are in the order of its cells. */
export function tasksByDataset(
  { tasks }: BuiltModel,
  cells: readonly SweepCell[],
): ReadonlyMap<string, readonly CellTask[]> {
  const groups = new Map<string, CellTask[]>();
  for (const [place, task] of tasks.entries()) {
    const cell = cells[place];
    if (!cell) continue;
    groups.set(cell.dataset, [...(groups.get(cell.dataset) ?? []), { cell, task }]);
  }
  return groups;
}

/** The scores that the logs of some cells hold, on the rows that pair. */
export async function readSheet(cells: readonly CellTask[]): Promise<Sheet> {
  const [first] = cells;
  if (!first) throw new RangeError('a sheet without cells');
  const logged: LoggedCell[] = [];
  for (const { cell, task } of cells) {
    logged.push({ cell, rows: await readLoggedRows(task.settings) });
  }
  const { model, scorer } = first.task.settings;
  const kind = rowScoreKind(scorer);
  return { model, dataset: first.cell.dataset, ...kind, ...pairCells(logged, kind) };
}
