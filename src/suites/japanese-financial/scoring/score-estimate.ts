import { meanOfCells } from '../../../stats/measure-cells.ts';
import type { CellMeasure } from '../../../stats/tallies.ts';
import type { Task } from '../templates/task-names.ts';
import { sentimentCell, sentimentScore, unansweredCell } from './sentiment-score.ts';

/** What was right for a document, and what the model preferred. */
export interface Preference {
  readonly gold: number;
  readonly predicted: number;
}

/** How documents of a task add up to its score. */
export interface ScoreMeasure {
  readonly metric: 'acc' | 'f1';
  readonly type: 'cells';
  /** What of a document counts. */
  cellOf(row: Preference): string;
  /** What of a document counts that has no answer, by what is right; nothing where a mean tells. */
  readonly unanswered?: (gold: unknown) => string;
  /** The score of cells that occur so many times each. */
  readonly measure: CellMeasure;
}

/** The score that a task is ranked by: F1 for sentiment, accuracy for exams. */
export function scoreMeasure(task: Task): ScoreMeasure {
  if (task === 'chabsa') {
    return {
      metric: 'f1',
      type: 'cells',
      cellOf: ({ gold, predicted }) => sentimentCell(gold, predicted),
      unanswered: unansweredCell,
      measure: sentimentScore,
    };
  }
  return {
    metric: 'acc',
    type: 'cells',
    cellOf: ({ gold, predicted }) => String(Number(gold === predicted)),
    measure: meanOfCells,
  };
}
