import { DataError } from '../errors.ts';
import { heldCharacters } from '../evaluation/asked.ts';
import type { Evaluation, PlannedRequest, RowPlan } from '../evaluation/evaluation.ts';
import type { LoglikelihoodResult } from '../model/loglikelihood.ts';
import type { GenerateOptions, GenerateResult, Model, SentBody } from '../model/model.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import { RowCase } from './row-case.ts';

/** What jobs are made of: an evaluation that is run, or planned. */
export interface JobSource {
  readonly evaluation: Pick<Evaluation, 'rows' | 'prepare' | 'plan' | 'type'>;
  /** Takes note of a row, in the order of the data. */
  note(plan: RowPlan): void;
  isDone(plan: RowPlan): boolean;
  /** Takes note of a row that nothing can be asked about, and why. */
  refuse(row: PositionedRow, error: Error): void;
}

/** One request to be sent: for a whole row, or for a part of one. */
export interface Job<Run = unknown> {
  /** What it is a request of. */
  readonly run: Run;
  readonly planned: PlannedRequest;
  readonly key: string;
  readonly part?: { readonly whole: RowCase; readonly index: number } | undefined;
  attempts: number;
  /** Whether an answer to the same request was looked for in vain. */
  isNew: boolean;
}

/**
 * Rows are taken in windows; within one, requests with a shared prefix are neighbours. Small
 * ones: what lives longer than some two hundred requests is expensive to clean up.
 */
const windowJobs = 128;
export const windowCharacters = 250_000;
/** Evaluations that take turns do so after this many: more than are in flight at once. */
const mixedJobs = 96;

/** The requests for the rows of an evaluation that are not answered yet, a window at a time. */
export async function* makeJobs<Run extends JobSource>(
  run: Run,
  maxJobs = windowJobs,
): AsyncGenerator<Job<Run>[]> {
  const { rows, prepare } = run.evaluation;
  let window: Job<Run>[] = [];
  let characters = 0;
  for await (const batch of rows.batches()) {
    await prepare?.(batch);
    for (const row of batch) {
      const made = planOrRefusal(run, row);
      // A wait for what is there already would be felt.
      const plan = made instanceof Promise ? await made : made;
      for (const job of plan ? jobsOf(run, plan) : []) {
        window.push(job);
        characters += sizeOf(job);
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
 * The requests of evaluations that ask about the same rows in ways that begin alike, some rows of
 * each in turn: what a model has read of them for one it still knows for the next.
 */
export async function* mixJobs<Run extends JobSource>(
  runs: readonly Run[],
): AsyncGenerator<Job<Run>[]> {
  let sources = runs.map((run) => makeJobs(run, mixedJobs));
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
  run: JobSource,
  row: PositionedRow,
): RowPlan | undefined | Promise<RowPlan | undefined> {
  try {
    const plan = run.evaluation.plan(row);
    return plan instanceof Promise ? plan.catch((error) => refuse(run, row, error)) : plan;
  } catch (error) {
    return refuse(run, row, error);
  }
}

function refuse(run: JobSource, row: PositionedRow, error: unknown): undefined {
  if (!(error instanceof DataError)) throw error;
  run.refuse(row, error);
}

function jobsOf<Run extends JobSource>(run: Run, plan: RowPlan): Job<Run>[] {
  run.note(plan);
  if (run.isDone(plan)) return [];
  if (run.evaluation.type === 'single') return plan.requests.map((planned) => toJob(run, planned));
  return partJobs(run, new RowCase(run.evaluation, plan));
}

/** The requests that a row of several parts is ready for. */
export function partJobs<Run extends JobSource>(run: Run, whole: RowCase): Job<Run>[] {
  return whole.takeReady().map(({ index, planned }) => toJob(run, planned, { whole, index }));
}

function toJob<Run>(run: Run, planned: PlannedRequest, part?: Job['part']): Job<Run> {
  return { run, planned, key: planned.key, part, attempts: 0, isNew: false };
}

/** Sends a request to a model. */
export function sendJob(
  { planned: { request } }: Pick<Job, 'planned'>,
  model: Model,
  options: GenerateOptions,
): Promise<GenerateResult | LoglikelihoodResult> {
  if ('prompt' in request) {
    const { loop } = request;
    if (!loop) return model.generate(request, options);
    return import('../model/tool-loop.ts').then(({ askWithTools }) =>
      askWithTools(model, { ...request, loop }, options),
    );
  }
  if (!model.loglikelihoodModel) throw new TypeError(`${model.name} gives no loglikelihoods`);
  return model.loglikelihoodModel.measure(request, options);
}

function sortByPrefix<Run>(jobs: Job<Run>[]): Job<Run>[] {
  return jobs.sort((a, b) => compareBodies(bodyOf(a), bodyOf(b)) || a.planned.id - b.planned.id);
}

/** About how much a job keeps alive, in characters. */
export function sizeOf(job: Pick<Job, 'planned'>): number {
  return bodyOf(job).length + heldCharacters(job.planned.asked);
}

/** What stands for a request. */
function bodyOf({ planned }: Pick<Job, 'planned'>): SentBody {
  return planned.request.body ?? planned.encoded;
}

/** Long bodies come after the others. */
function compareBodies(a: SentBody, b: SentBody): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string') return -1;
  return typeof b === 'string' ? 1 : Buffer.compare(a, b);
}
