import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SummaryGroups } from '../config/config.ts';
import { RunError } from '../errors.ts';
import type { Model } from '../model/model.ts';
import { totalCost } from './cost.ts';
import { EvaluationRun } from './evaluation-run.ts';
import type { RetryKinds } from './resume.ts';
import type { EvaluationSample } from './row-sample.ts';
import { ModelRun, type RunModelOptions } from './run-model.ts';
import { ProblemList, type Problems } from './store/record-problem.ts';
import type { ServedName } from './store/run-file.ts';
import { writing } from './store/write-whole.ts';
import type { StoredEvaluation } from './stored-evaluation.ts';
import type { Tally } from './summarize.ts';
import type { RunSummary, TaskResult } from './summary.ts';
import { type ResultFacts, taskResult, tokensPerSecond } from './task-result.ts';
import { TimeSpan } from './time-span.ts';

/** A model with what it is asked; copies of one model share the work. */
export interface ModelWork {
  readonly model: Model;
  readonly evaluations: readonly StoredEvaluation[];
}

export interface RunOptions {
  readonly name: string;
  readonly version: string;
  readonly models: readonly (ModelWork & Omit<RunModelOptions, 'signal'>)[];
  readonly groups?: SummaryGroups | undefined;
  /** Which failed rows are asked again; by default those that a server does not refuse for good. */
  readonly retry?: RetryKinds | undefined;
  /** Aborting it ends the run at once; rows in flight are not recorded. */
  readonly signal: AbortSignal;
  /** Called once with what is in flight, for progress and for stopping gently. */
  readonly onStart?: (runs: readonly ModelRun[]) => void;
}

export interface RunOutcome {
  readonly summary: RunSummary;
  readonly samples: readonly EvaluationSample[];
  /** What ended the run early. */
  readonly failure?: unknown;
  /** Damaged lines of the logs, whose rows were asked again. */
  readonly problems: Problems;
  /** How many rows were asked again because an earlier version kept their loglikelihoods. */
  readonly oldLoglikelihoods: number;
  /** What the servers called their models; left out where none was asked. */
  readonly served?: readonly EvaluationServed[];
}

export interface EvaluationServed {
  readonly model: string;
  readonly names: readonly ServedName[];
}

/**
 * Runs all evaluations to their end, or as far as it gets, and sums up. What the logs hold already is not
 * done again.
 */
export async function executeRun(options: RunOptions): Promise<RunOutcome> {
  const span = new TimeSpan();
  const runs = await openAll(options);
  try {
    options.onStart?.(runs);
  } catch (error) {
    await letGo(runs.flatMap(({ evaluations }) => evaluations));
    throw error;
  }
  const endings = await Promise.allSettled(runs.map((run) => run.run()));
  const failure = endings.find((ending) => ending.status === 'rejected')?.reason;
  if (failure instanceof RunError && failure.code === 'data.changed') {
    // Rows of two states of a file have no score together.
    await letGo(runs.flatMap(({ evaluations }) => evaluations));
    throw failure;
  }
  const { results, samples } = await closeAll(runs).catch(async (error) => {
    await letGo(runs.flatMap(({ evaluations }) => evaluations));
    throw failure ?? error;
  });
  const isAnswered = results.every(({ rows }) => rows.missing === 0);
  const cost = totalCost(results);
  const summary: RunSummary = {
    name: options.name,
    version: options.version,
    startedAt: span.startedAt,
    finishedAt: span.now(),
    complete: failure === undefined && isAnswered && runs.every((run) => run.exhausted),
    results,
    groups: options.groups ? await averageGroups(options.groups, { results, runs }) : [],
    ...(cost && { cost }),
  };
  const problems = new ProblemList();
  for (const run of runs) for (const one of run.evaluations) problems.addAll(one.problems);
  const all = runs.flatMap(({ evaluations }) => evaluations);
  return {
    summary,
    samples,
    problems,
    oldLoglikelihoods: all.reduce((sum, { counts }) => sum + counts.oldLoglikelihoods, 0),
    served: all.map((run) => ({ model: namesOf(run).model, names: run.served.list })),
    ...(failure !== undefined && { failure }),
  };
}

/** Few runs have groups; what they are averaged by is loaded for them alone. */
async function averageGroups(
  groups: NonNullable<RunOptions['groups']>,
  {
    results,
    runs,
  }: { readonly results: readonly TaskResult[]; readonly runs: readonly ModelRun[] },
) {
  const { recordsIn, summarizeGroups } = await import('./summarize-groups.ts');
  const recorded = runs.flatMap(({ evaluations }) =>
    evaluations.map((run) => ({ ...namesOf(run), records: () => recordsIn(run.stored) })),
  );
  return summarizeGroups(groups, { results, recorded });
}

/** Rows of each verdict that a report may choose from: more where there are few evaluations. */
function sampleSizeOf({ models }: RunOptions): number {
  const evaluations = models.reduce((sum, model) => sum + model.evaluations.length, 0);
  return Math.max(10, Math.floor(300 / evaluations));
}

async function openAll(options: RunOptions): Promise<ModelRun[]> {
  const { models, signal, retry } = options;
  const settings = { sampleSize: sampleSizeOf(options), retry };
  const opened: EvaluationRun[] = [];
  const openOne = async ({ model, evaluations, ...pace }: RunOptions['models'][number]) => {
    const own: EvaluationRun[] = [];
    for (const stored of evaluations) {
      const folder = dirname(stored.logFile);
      await writing(folder, () => mkdir(folder, { recursive: true }));
      own.push(await EvaluationRun.open(stored, settings));
      opened.push(...own.slice(-1));
    }
    return new ModelRun(model, own, { ...pace, signal });
  };
  const runs = await Promise.allSettled(models.map(openOne));
  const failed = runs.find((run) => run.status === 'rejected');
  if (failed) {
    await letGo(opened);
    throw failed.reason;
  }
  return runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
}

/** Closes logs that may be closed already; what went wrong before is what counts. */
async function letGo(evaluations: readonly EvaluationRun[]): Promise<void> {
  await Promise.allSettled(evaluations.map((run) => run.letGo()));
}

async function closeAll(runs: readonly ModelRun[]) {
  const results: TaskResult[] = [];
  const samples: EvaluationSample[] = [];
  const counted = new Set<string>();
  for (const { evaluations, exhausted } of runs) {
    for (const run of evaluations) {
      const { model, dataset } = namesOf(run);
      const total = exhausted ? run.counts.rows : await run.countAll();
      const tally = await run.tally();
      samples.push({ model, dataset, ...(await run.sample()) });
      results.push(await closeRun(run, { tally, total, counted }));
    }
  }
  return { results, samples };
}

function namesOf({ evaluation }: EvaluationRun): {
  readonly model: string;
  readonly dataset: string;
} {
  return { model: evaluation.modelName, dataset: evaluation.task.name };
}

type ClosedRun = Pick<ResultFacts, 'total' | 'counted'> & { readonly tally: Tally };

async function closeRun(
  run: EvaluationRun,
  { tally, total, counted }: ClosedRun,
): Promise<TaskResult> {
  const { promptHash } = await run.close();
  const { modelConfig, judgeConfigs, shape } = run.evaluation;
  return taskResult(tally, {
    ...namesOf(run),
    modelConfig,
    judgeConfigs,
    shape,
    total,
    requests: run.requests,
    counted,
    isUnlimited: run.isUnlimited,
    leaks: run.counts.leaks,
    possibleClusters: run.possibleClusters,
    seconds: run.seconds,
    tokensPerSecond: tokensPerSecond(run.counts, run.seconds),
    promptHash,
    leftOf: (kind) => run.leftOf(kind),
  });
}
