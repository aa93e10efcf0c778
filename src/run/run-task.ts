import type { Evaluation } from '../evaluation/evaluation.ts';

/** An evaluation, and where its results go. */
export interface RunTask {
  readonly evaluation: Evaluation;
  readonly logFile: string;
  readonly indexFile: string;
  /** Evaluations of one group begin their prompts alike, and take turns. */
  readonly group?: string | undefined;
}

/** What became of a task so far. */
export interface TaskCounts {
  rows: number;
  resumed: number;
  scored: number;
  unscored: number;
  failed: number;
  sent: number;
  shared: number;
  cached: number;
  inputTokens: number;
  outputTokens: number;
  /** Rows whose examples give their answers away. */
  leaks: number;
}

export function zeroCounts(): TaskCounts {
  return {
    rows: 0,
    resumed: 0,
    scored: 0,
    unscored: 0,
    failed: 0,
    sent: 0,
    shared: 0,
    cached: 0,
    inputTokens: 0,
    outputTokens: 0,
    leaks: 0,
  };
}
