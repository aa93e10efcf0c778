import type { RunOutcome } from '../../../run/execute.ts';
import { type ExecuteOptions, executeWork, workOf } from '../../../run/execute-evaluations.ts';
import type { RunFolder } from '../../../run/store/run-folder.ts';
import { readOutcome, type TaskOutcome } from './read-outcome.ts';
import type { TaskEvaluation } from './task-evaluation.ts';

export interface EvaluateOptions extends ExecuteOptions {
  readonly folder: RunFolder;
}

export interface EvaluatedTasks {
  readonly run: RunOutcome;
  /** Left out while documents are not answered: what the others say is no result. */
  readonly outcomes?: readonly TaskOutcome[];
}

/** Asks about the documents of tasks that the folder has no answer for, and judges all. */
export async function evaluateTasks(
  tasks: readonly TaskEvaluation[],
  { folder, ...options }: EvaluateOptions,
): Promise<EvaluatedTasks> {
  const evaluations = tasks.map(({ evaluation }) => evaluation);
  const run = await executeWork(workOf(evaluations, folder), folder, options);
  const isAnswered = run.summary.results.every(({ rows }) => rows.failed === 0);
  if (!run.summary.complete || !isAnswered) return { run };
  const outcomes: TaskOutcome[] = [];
  for (const task of tasks) outcomes.push(await readOutcome(task, folder));
  return { run, outcomes };
}
