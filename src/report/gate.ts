import type { RunSummary, TaskResult } from '../run/summary.ts';

/**
 * Whether a task misses a gate: its score is worse than the mark, or it has none.
 *
 * @example
 * summary.results.map((result) => isUnder(result, 0.9)); // [true]
 */
export function isUnder({ score, direction }: TaskResult, failUnder: number): boolean {
  if (score === undefined) return true;
  return direction === 'lower' ? score.value > failUnder : score.value < failUnder;
}

/**
 * The tasks of a run that miss a gate. Scores and gate go from 0 to 1.
 *
 * @example
 * tasksUnder(summary, 0.9).map(({ dataset }) => dataset); // ['arithmetic']
 */
export function tasksUnder({ results }: RunSummary, failUnder: number): readonly TaskResult[] {
  return results.filter((result) => isUnder(result, failUnder));
}
