import { DataError } from '../errors.ts';
import type { PartRequest, RowRequest } from '../infer/inference.ts';
import type { GenerateOptions, GenerateRequest, GenerateResult, Model } from '../model/model.ts';
import type { WeighRequest, WeighResult } from '../model/weigh.ts';
import type { NamedRow } from '../prompt/index.ts';
import type { Query } from '../retrieve/index.ts';
import { askedHash, heldCharacters, shownPrompt } from './asked.ts';
import type { JobSource, NotedRow } from './job-source.ts';
import { requestKey } from './key.ts';
import { RowCase } from './row-case.ts';
import type { TaskRun } from './task-run.ts';

/** One request to be sent: for a whole row, or for a part of one. */
export interface Job<Task = TaskRun> extends NotedRow {
  readonly task: Task;
  readonly asked: RowRequest;
  readonly request: GenerateRequest | WeighRequest;
  /** What is sent. */
  readonly encoded: string;
  readonly dropped: number;
  readonly part?: { readonly whole: RowCase; readonly place: number } | undefined;
  attempts: number;
  /** Whether an answer to the same request was looked for in vain. */
  isNew: boolean;
}

/**
 * Rows are taken in windows; within one, requests with a shared beginning are neighbours. Small
 * ones: what lives longer than a few hundred requests is expensive to clean up.
 */
const windowJobs = 256;
const windowCharacters = 4_000_000;
/** Tasks that take turns do so after this many: more than are under way at once. */
const mixedJobs = 96;

/** The requests for the rows of a task that are not answered yet, a window at a time. */
export async function* makeJobs<Task extends JobSource>(
  task: Task,
  model: Model,
  mostJobs = windowJobs,
): AsyncGenerator<Job<Task>[]> {
  let window: Job<Task>[] = [];
  let characters = 0;
  for await (const batch of task.rows) {
    const queries = batch.map(({ id, row }) => ({ id, row, index: Number(id) }));
    await task.prepare?.(queries);
    for (const query of queries) {
      for (const job of jobsOrRefusal(task, model, query)) {
        window.push(job);
        characters += job.encoded.length + heldCharacters(job.asked);
      }
      if (window.length < mostJobs && characters < windowCharacters) continue;
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
  model: Model,
): AsyncGenerator<Job<Task>[]> {
  let sources = tasks.map((task) => makeJobs(task, model, mixedJobs));
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
function jobsOrRefusal<Task extends JobSource>(
  task: Task,
  model: Model,
  query: Query,
): Job<Task>[] {
  try {
    return jobsOf(task, model, query);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    task.refuse(query, error);
    return [];
  }
}

function jobsOf<Task extends JobSource>(task: Task, model: Model, query: Query): Job<Task>[] {
  if (task.inference.type === 'single') {
    const { request, dropped, leak } = task.inference.ask(query);
    const job = makeJob(task, model, { id: query.id, row: query.row, request, dropped, leak });
    task.note(job);
    return task.isDone(job) ? [] : [job];
  }
  const whole = new RowCase(task, query);
  task.note(whole);
  return task.isDone(whole) ? [] : partJobs(task, model, whole);
}

/** The requests that a row of several parts is ready for. */
export function partJobs<Task extends JobSource>(
  task: Task,
  model: Model,
  whole: RowCase,
): Job<Task>[] {
  return whole
    .takeReady()
    .map(({ place, part }) =>
      makeJob(task, model, { id: whole.id, ...part, part: { whole, place } }),
    );
}

interface JobParts extends Pick<PartRequest, 'request' | 'dropped' | 'leak' | 'row'> {
  readonly id: NamedRow['id'];
  readonly part?: Job['part'];
}

function makeJob<Task extends JobSource>(
  task: Task,
  model: Model,
  { id, row, request: asked, dropped, leak, part }: JobParts,
): Job<Task> {
  const unsent = unsentRequest(task, asked, { id, row });
  const encoded = encode(model, unsent);
  const key = requestKey(encoded, task.modelIdentity);
  // Written out: this runs for every row, and copying by spread would be felt.
  return {
    task,
    id: Number(id),
    row,
    asked,
    request:
      'prompt' in unsent
        ? {
            prompt: unsent.prompt,
            maxOutLen: unsent.maxOutLen,
            stop: unsent.stop,
            seed: unsent.seed,
            id,
            body: encoded,
            key,
          }
        : { texts: unsent.texts, id, body: encoded, key },
    encoded,
    key,
    prompt: askedHash(asked),
    shown: shownPrompt(asked),
    leak,
    dropped,
    part,
    attempts: 0,
    isNew: false,
  };
}

function unsentRequest(
  task: JobSource,
  asked: RowRequest,
  { id, row }: NamedRow,
): GenerateRequest | WeighRequest {
  if (asked.type === 'weigh') return { texts: asked.texts, id };
  const { prompt, maxOutLen = task.maxOutLenOf(row), seed } = asked;
  return { prompt, maxOutLen, stop: task.stop, seed, id };
}

function encode(model: Model, request: GenerateRequest | WeighRequest): string {
  if ('prompt' in request) return model.encode(request);
  if (!model.weigher) throw new TypeError(`${model.name} cannot weigh texts`);
  return model.weigher.encode(request);
}

/** Sends a request to a model. */
export function sendJob(
  { request }: Pick<Job, 'request'>,
  model: Model,
  options: GenerateOptions,
): Promise<GenerateResult | WeighResult> {
  if ('prompt' in request) return model.generate(request, options);
  if (!model.weigher) throw new TypeError(`${model.name} cannot weigh texts`);
  return model.weigher.weigh(request, options);
}

function sortByPrefix<Task>(jobs: Job<Task>[]): Job<Task>[] {
  return jobs.sort((a, b) =>
    a.encoded < b.encoded ? -1 : a.encoded > b.encoded ? 1 : a.id - b.id,
  );
}
