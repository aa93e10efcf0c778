import type { RunTask } from '../../run/run-task.ts';
import { inOrder } from './change-rows.ts';
import type { SweepCell } from './expand-cells.ts';

/** A cell with the task that asks it. */
export interface CellTask {
  readonly cell: SweepCell;
  readonly task: RunTask;
}

/**
 * The tasks of a sweep with their cells, which they have the names of. Cells of one template take
 * turns: their prompts may begin with the same examples.
 */
export function cellTasks(tasks: readonly RunTask[], cells: readonly SweepCell[]): CellTask[] {
  const named = new Map(cells.map((cell) => [cell.abbr, cell]));
  return tasks.map((task) => {
    const cell = named.get(task.evaluation.task.name);
    if (!cell) throw new RangeError(`${task.evaluation.task.name} is no cell of the sweep`);
    const { evaluation } = task;
    return {
      cell,
      task: {
        ...task,
        evaluation: cell.order ? inOrder(evaluation, cell.order) : evaluation,
        group: `${cell.dataset}.${cell.settings.template}`,
      },
    };
  });
}

/** The cells of each model on each dataset. */
export function groupCells(tasks: readonly CellTask[]): (readonly CellTask[])[] {
  const groups = new Map<string, CellTask[]>();
  for (const cellTask of tasks) {
    const { cell, task } = cellTask;
    const key = JSON.stringify([task.evaluation.modelName, cell.dataset]);
    groups.set(key, [...(groups.get(key) ?? []), cellTask]);
  }
  return [...groups.values()];
}
