import type { StoredEvaluation } from '../../run/stored-evaluation.ts';
import { inOrder } from './change-rows.ts';
import type { SweepCell } from './expand-cells.ts';

/** A cell with the evaluation that asks it. */
export interface CellEvaluation {
  readonly cell: SweepCell;
  readonly stored: StoredEvaluation;
}

/**
 * The evaluations of a sweep with their cells, which they have the names of. Cells of one template take
 * turns: their prompts may begin with the same examples.
 */
export function cellEvaluations(
  all: readonly StoredEvaluation[],
  cells: readonly SweepCell[],
): CellEvaluation[] {
  const named = new Map(cells.map((cell) => [cell.abbr, cell]));
  return all.map((stored) => {
    const { evaluation } = stored;
    const cell = named.get(evaluation.task.name);
    if (!cell) throw new RangeError(`${evaluation.task.name} is not a cell of the sweep`);
    return {
      cell,
      stored: {
        ...stored,
        evaluation: inOrder(evaluation, cell.order),
        group: `${cell.dataset}.${cell.settings.template}`,
      },
    };
  });
}

/** The cells of each model on each dataset. */
export function groupCells(evaluations: readonly CellEvaluation[]): (readonly CellEvaluation[])[] {
  const groups = new Map<string, CellEvaluation[]>();
  for (const one of evaluations) {
    const { cell, stored } = one;
    const key = JSON.stringify([stored.evaluation.modelName, cell.dataset]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}
