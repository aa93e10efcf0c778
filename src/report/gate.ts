import type { RunSummary, TaskResult } from '../run/summary.ts';

/** Whether a task misses a gate: its score is under the mark, or it has none. */
export function isUnder({ score }: TaskResult, failUnder: number): boolean {
  return score === undefined || score.value < failUnder;
}

/** The tasks of a run that miss a gate. Scores and gate go from 0 to 1. */
export function tasksUnder({ results }: RunSummary, failUnder: number): readonly TaskResult[] {
  return results.filter((result) => isUnder(result, failUnder));
}
