import type { RunOutcome } from '../../../run/execute.ts';
import { type ExecuteOptions, executeWork, workOf } from '../../../run/execute-evaluations.ts';
import type { StartRecord } from '../../../run/start-record.ts';
import type { RunFolder } from '../../../run/store/run-folder.ts';
import { readOutcome, type TaskOutcome } from './read-outcome.ts';
import type { TaskEvaluation } from './task-evaluation.ts';

export interface EvaluateOptions extends Omit<ExecuteOptions, 'fresh'> {
  readonly folder: RunFolder;
  /** The start of the run, which takes note of it. */
  readonly start?: StartRecord | undefined;
}

export interface EvaluatedTasks {
  readonly run: RunOutcome;
  /** Left out while documents are not answered: what the others say is no result. */
  readonly outcomes?: readonly TaskOutcome[];
}

/** Asks about the documents of tasks that the folder has no answer for, and judges all. */
export async function evaluateTasks(
  tasks: readonly TaskEvaluation[],
  { folder, start, ...options }: EvaluateOptions,
): Promise<EvaluatedTasks> {
  const evaluations = tasks.map(({ evaluation }) => evaluation);
  const execute = () => executeWork(workOf(evaluations, folder), folder, { ...options, start });
  const run = await (start ? start.follow(execute) : execute());
  const isAnswered = run.summary.results.every(({ rows }) => rows.failed === 0);
  if (!run.summary.complete || !isAnswered) return { run };
  const outcomes: TaskOutcome[] = [];
  for (const task of tasks) outcomes.push(await readOutcome(task, folder));
  return { run, outcomes };
}
