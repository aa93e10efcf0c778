import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Model } from '../model/model.ts';
import { groupAverage } from '../stats/means.ts';
import { ModelRun, type RunModelOptions } from './run-model.ts';
import type { RunTask } from './run-task.ts';
import { ProblemList, type Problems } from './store/record-problem.ts';
import { writing } from './store/write-whole.ts';
import type { GroupResult, RunSummary, TaskResult } from './summary.ts';
import { type SampledRow, TaskRun } from './task-run.ts';

/** A model and the tasks it has to do. */
export interface ModelTasks extends Omit<RunModelOptions, 'signal'> {
  readonly model: Model;
  readonly tasks: readonly RunTask[];
}

export interface RunOptions {
  readonly name: string;
  readonly version: string;
  readonly models: readonly ModelTasks[];
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Aborting it ends the run at once; rows in flight are not recorded. */
  readonly signal: AbortSignal;
  /** Called once with what is in flight, for progress and for stopping gently. */
  readonly onStart?: (runs: readonly ModelRun[]) => void;
}

export interface TaskSample {
  readonly model: string;
  readonly dataset: string;
  readonly rows: readonly SampledRow[];
}

export interface RunOutcome {
  readonly summary: RunSummary;
  readonly samples: readonly TaskSample[];
  /** What ended the run early. */
  readonly failure?: unknown;
  /** Damaged lines of the logs, whose rows were asked again. */
  readonly problems: Problems;
}

/**
 * Runs all tasks to their end, or as far as it gets, and sums up. What the logs hold already is not
 * done again.
 */
export async function executeRun(options: RunOptions): Promise<RunOutcome> {
  const startedAt = new Date();
  const runs = await Promise.all(
    options.models.map(async ({ model, tasks, ...pace }) => {
      const opened: TaskRun[] = [];
      for (const task of tasks) {
        const folder = dirname(task.logFile);
        await writing(folder, () => mkdir(folder, { recursive: true }));
        opened.push(await TaskRun.open(task));
      }
      return new ModelRun(model, opened, { ...pace, signal: options.signal });
    }),
  );
  try {
    options.onStart?.(runs);
  } catch (error) {
    await closeTasks(runs, startedAt);
    throw error;
  }
  const endings = await Promise.allSettled(runs.map((run) => run.run()));
  const failure = endings.find((ending) => ending.status === 'rejected')?.reason;
  const { results, samples } = await closeTasks(runs, startedAt).catch((error) => {
    throw failure ?? error;
  });
  const isAnswered = results.every(({ rows }) => rows.missing === 0);
  const summary: RunSummary = {
    name: options.name,
    version: options.version,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    complete: failure === undefined && isAnswered && runs.every((run) => run.exhausted),
    results,
    groups: summarizeGroups(options.groups ?? {}, results),
  };
  const problems = new ProblemList();
  for (const task of runs.flatMap((run) => run.tasks)) problems.addAll(task.problems);
  return { summary, samples, problems, ...(failure !== undefined && { failure }) };
}

async function closeTasks(runs: readonly ModelRun[], startedAt: Date) {
  const results: TaskResult[] = [];
  const samples: TaskSample[] = [];
  for (const { tasks, exhausted } of runs) {
    for (const task of tasks) {
      const { model, dataset } = namesOf(task);
      const total = exhausted ? task.counts.rows : await task.countAll();
      samples.push({ model, dataset, rows: await task.sample() });
      results.push(await closeTask(task, { total, startedAt }));
    }
  }
  return { results, samples };
}

function namesOf({ evaluation }: TaskRun): { readonly model: string; readonly dataset: string } {
  return { model: evaluation.modelName, dataset: evaluation.task.name };
}

async function closeTask(
  task: TaskRun,
  { total, startedAt }: { readonly total: number; readonly startedAt: Date },
): Promise<TaskResult> {
  const { promptHash } = await task.close();
  const tally = await task.tally();
  const { sent, cached, shared, leaks } = task.counts;
  const { scored, unscored, failed, inputTokens, outputTokens } = tally;
  return {
    ...namesOf(task),
    ...tally.result,
    rows: { total, scored, unscored, failed, missing: total - scored - unscored - failed },
    reasons: tally.reasons,
    tokens: { input: inputTokens, output: outputTokens },
    requests: { sent, cached, shared },
    ...(leaks > 0 && { leaks }),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    promptHash,
  };
}

/** Averages over groups of datasets; a group that the results hold only a part of has none. */
export function summarizeGroups(
  groups: Readonly<Record<string, readonly string[]>>,
  results: readonly TaskResult[],
): GroupResult[] {
  const models = [...new Set(results.map(({ model }) => model))];
  const run = new Set(results.map(({ dataset }) => dataset));
  const whole = Object.entries(groups).filter(([, datasets]) =>
    datasets.every((dataset) => run.has(dataset)),
  );
  return whole.flatMap(([group, datasets]) =>
    models.map((model) => {
      const scores = datasets.map(
        (dataset) =>
          results.find((result) => result.model === model && result.dataset === dataset)?.score,
      );
      const known = scores.filter((score) => score !== undefined);
      const score = known.length === scores.length ? groupAverage(known) : undefined;
      return { model, group, datasets, ...(score && { score }) };
    }),
  );
}
