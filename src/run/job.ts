import { DataError } from '../errors.ts';
import { heldCharacters } from '../evaluation/asked.ts';
import type { PlannedRequest, RowPlan } from '../evaluation/evaluation.ts';
import type { LoglikelihoodResult } from '../model/loglikelihood.ts';
import type { GenerateOptions, GenerateResult, Model } from '../model/model.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import type { JobSource } from './job-source.ts';
import { RowCase } from './row-case.ts';
import type { TaskRun } from './task-run.ts';

/** One request to be sent: for a whole row, or for a part of one. */
export interface Job<Task = TaskRun> {
  readonly task: Task;
  readonly planned: PlannedRequest;
  readonly key: string;
  readonly part?: { readonly whole: RowCase; readonly index: number } | undefined;
  attempts: number;
  /** Whether an answer to the same request was looked for in vain. */
  isNew: boolean;
}

/**
 * Rows are taken in windows; within one, requests with a shared prefix are neighbours. Small
 * ones: what lives longer than a few hundred requests is expensive to clean up.
 */
const windowJobs = 256;
const windowCharacters = 4_000_000;
/** Tasks that take turns do so after this many: more than are in flight at once. */
const mixedJobs = 96;

/** The requests for the rows of a task that are not answered yet, a window at a time. */
export async function* makeJobs<Task extends JobSource>(
  task: Task,
  maxJobs = windowJobs,
): AsyncGenerator<Job<Task>[]> {
  const { rows, prepare } = task.evaluation;
  let window: Job<Task>[] = [];
  let characters = 0;
  for await (const batch of rows.batches()) {
    await prepare?.(batch);
    for (const row of batch) {
      const made = planOrRefusal(task, row);
      // A wait for what is there already would be felt.
      const plan = made instanceof Promise ? await made : made;
      for (const job of plan ? jobsOf(task, plan) : []) {
        window.push(job);
        characters += job.planned.encoded.length + heldCharacters(job.planned.asked);
      }
      if (window.length < maxJobs && characters < windowCharacters) continue;
      yield sortByPrefix(window);
      window = [];
      characters = 0;
    }
  }
  if (window.length > 0) yield sortByPrefix(window);
}

/**
 * The requests of tasks that ask about the same rows in ways that begin alike, some rows of each
 * task in turn: what a model has read of them for one task it still knows for the next.
 */
export async function* mixJobs<Task extends JobSource>(
  tasks: readonly Task[],
): AsyncGenerator<Job<Task>[]> {
  let sources = tasks.map((task) => makeJobs(task, mixedJobs));
  while (sources.length > 0) {
    const open: typeof sources = [];
    for (const source of sources) {
      const { value, done } = await source.next();
      if (done) continue;
      yield value;
      open.push(source);
    }
    sources = open;
  }
}

/** A row whose data cannot be asked about fails by itself; the others go on. */
function planOrRefusal(
  task: JobSource,
  row: PositionedRow,
): RowPlan | undefined | Promise<RowPlan | undefined> {
  try {
    const plan = task.evaluation.plan(row);
    return plan instanceof Promise ? plan.catch((error) => refuse(task, row, error)) : plan;
  } catch (error) {
    return refuse(task, row, error);
  }
}

function refuse(task: JobSource, row: PositionedRow, error: unknown): undefined {
  if (!(error instanceof DataError)) throw error;
  task.refuse(row, error);
}

function jobsOf<Task extends JobSource>(task: Task, plan: RowPlan): Job<Task>[] {
  task.note(plan);
  if (task.isDone(plan)) return [];
  if (task.evaluation.type === 'single')
    return plan.requests.map((planned) => toJob(task, planned));
  return partJobs(task, new RowCase(task.evaluation, plan));
}

/** The requests that a row of several parts is ready for. */
export function partJobs<Task extends JobSource>(task: Task, whole: RowCase): Job<Task>[] {
  return whole.takeReady().map(({ index, planned }) => toJob(task, planned, { whole, index }));
}

function toJob<Task>(task: Task, planned: PlannedRequest, part?: Job['part']): Job<Task> {
  return { task, planned, key: planned.key, part, attempts: 0, isNew: false };
}

/** Sends a request to a model. */
export function sendJob(
  { planned: { request } }: Pick<Job, 'planned'>,
  model: Model,
  options: GenerateOptions,
): Promise<GenerateResult | LoglikelihoodResult> {
  if ('prompt' in request) return model.generate(request, options);
  if (!model.loglikelihoodModel) throw new TypeError(`${model.name} gives no loglikelihoods`);
  return model.loglikelihoodModel.measure(request, options);
}

function sortByPrefix<Task>(jobs: Job<Task>[]): Job<Task>[] {
  return jobs.sort(({ planned: a }, { planned: b }) =>
    a.encoded < b.encoded ? -1 : a.encoded > b.encoded ? 1 : a.id - b.id,
  );
}
