import { basename } from 'node:path';
import { modelDefaults } from '../../config/run-defaults.ts';
import type { RunOutcome } from '../../run/execute.ts';
import type { RunFolder } from '../../run/run-folder.ts';
import { execute } from '../run/run-command.ts';
import type { RunOptions } from '../run/run-options.ts';
import { askedTask } from './asked-task.ts';
import type { OpenedModel } from './open-model.ts';
import type { PlannedTask } from './plan-task.ts';
import { readOutcome, type TaskOutcome } from './read-outcome.ts';

export interface EvaluateOptions {
  readonly folder: RunFolder;
  readonly pace: Pick<RunOptions, 'rps' | 'retries' | 'maxTime' | 'cache'>;
}

export interface Evaluation {
  readonly run: RunOutcome;
  /** Left out while documents are not answered: what the others say is no result. */
  readonly outcomes?: readonly TaskOutcome[];
}

/** Asks a model about the documents of tasks that the folder has no answer for, and judges all. */
export async function evaluateTasks(
  opened: OpenedModel,
  planned: readonly PlannedTask[],
  { folder, pace }: EvaluateOptions,
): Promise<Evaluation> {
  const tasks = planned.map((task) => askedTask(task, { opened, folder: folder.path }));
  const model = {
    model: opened.model,
    tasks,
    maxConcurrency: opened.concurrency,
    requestsPerSecond: pace.rps,
    maxAttempts: pace.retries ?? modelDefaults.retries,
  };
  const run = await execute([model], { folder, options: pace, name: basename(folder.path) });
  const isAnswered = run.summary.results.every(({ rows }) => rows.failed === 0);
  if (!run.summary.complete || !isAnswered) return { run };
  const outcomes: TaskOutcome[] = [];
  for (const task of tasks) outcomes.push(await readOutcome(task, opened));
  return { run, outcomes };
}
