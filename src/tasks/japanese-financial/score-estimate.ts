import { bootstrapTable } from '../../stats/bootstrap-table.ts';
import type { CellMeasure } from '../../stats/cell-tally.ts';
import { type Estimate, wilson } from '../../stats/index.ts';
import { sentimentCell, sentimentF1 } from './metrics.ts';
import type { Task } from './task-names.ts';

/** What was right for a document, and what the model preferred. */
export interface Preference {
  readonly gold: number;
  readonly predicted: number;
}

/** How documents of a task add up to its score. */
export interface ScoreMeasure {
  readonly metric: 'acc' | 'f1';
  /** What of a document counts. */
  cellOf(row: Preference): string;
  /** The score of cells that occur so many times each. */
  readonly measure: CellMeasure;
}

/** The score that a task is ranked by: F1 for sentiment, accuracy for exams. */
export function scoreMeasure(task: Task): ScoreMeasure {
  if (task === 'chabsa') {
    return {
      metric: 'f1',
      cellOf: ({ gold, predicted }) => sentimentCell(gold, predicted),
      measure: sentimentF1,
    };
  }
  return {
    metric: 'acc',
    cellOf: ({ gold, predicted }) => String(Number(gold === predicted)),
    measure: meanOfCells,
  };
}

/** The mean of cells that are numbers. */
export function meanOfCells(cells: readonly string[]): (counts: ArrayLike<number>) => number {
  const values = cells.map(Number);
  return (counts) => {
    let sum = 0;
    let size = 0;
    values.forEach((value, index) => {
      sum += value * (counts[index] ?? 0);
      size += counts[index] ?? 0;
    });
    return sum / size;
  };
}

/** A score with its interval: Wilson's for a rate, else by resampling. */
export function estimateCells(
  cells: Iterable<string>,
  { measure, level }: { readonly measure: CellMeasure; readonly level?: number | undefined },
): Estimate | undefined {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const names = [...counts.keys()].sort();
  const table = names.map((name) => counts.get(name) ?? 0);
  if (names.every((name) => name === '0' || name === '1')) {
    const size = table.reduce((sum, count) => sum + count, 0);
    return wilson(counts.get('1') ?? 0, size, level);
  }
  return bootstrapTable(table, measure(names), { seed: 0, level });
}
