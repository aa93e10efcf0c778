import type { GenerateRequest, Model } from '../model/model.ts';
import type { NamedRow } from '../prompt/index.ts';
import { promptHash, requestKey } from './key.ts';
import type { TaskRun, TaskSettings } from './task-run.ts';

/** What jobs are made of: the task of a run, or of a plan. */
export interface JobSource
  extends Pick<TaskSettings, 'rows' | 'modelIdentity' | 'promptOf' | 'maxOutLenOf' | 'stop'> {
  /** Takes note of a row, in the order of the data. */
  note(job: Job<unknown>): void;
  isDone(job: Job<unknown>): boolean;
}

/** One row to be asked about. */
export interface Job<Task = TaskRun> {
  readonly task: Task;
  readonly id: number;
  readonly row: NamedRow['row'];
  readonly request: GenerateRequest;
  /** What is sent. */
  readonly encoded: string;
  readonly key: string;
  readonly prompt: string;
  readonly dropped: number;
  attempts: number;
  /** Whether an answer to the same request was looked for in vain. */
  isNew: boolean;
}

/**
 * Rows are taken in windows; within one, requests with a shared beginning are neighbours. Small
 * ones: what lives longer than a few hundred requests is expensive to clean up.
 */
const windowRows = 256;
const windowCharacters = 4_000_000;

/** The rows of a task that are not answered yet, as jobs, a window at a time. */
export async function* makeJobs<Task extends JobSource>(
  task: Task,
  model: Model,
): AsyncGenerator<Job<Task>[]> {
  let window: Job<Task>[] = [];
  let characters = 0;
  for await (const batch of task.rows) {
    for (const named of batch) {
      const job = makeJob(task, model, named);
      task.note(job);
      if (task.isDone(job)) continue;
      window.push(job);
      characters += job.encoded.length;
      if (window.length < windowRows && characters < windowCharacters) continue;
      yield sortByPrefix(window);
      window = [];
      characters = 0;
    }
  }
  if (window.length > 0) yield sortByPrefix(window);
}

function makeJob<Task extends JobSource>(
  task: Task,
  model: Model,
  { id, row }: NamedRow,
): Job<Task> {
  const { prompt, dropped } = task.promptOf({ id, row, index: Number(id) });
  const maxOutLen = task.maxOutLenOf(row);
  const { stop } = task;
  const encoded = model.encode({ prompt, maxOutLen, stop, id });
  const key = requestKey(encoded, task.modelIdentity);
  return {
    task,
    id: Number(id),
    row,
    request: { prompt, maxOutLen, stop, id, body: encoded, key },
    encoded,
    key,
    prompt: promptHash(prompt),
    dropped,
    attempts: 0,
    isNew: false,
  };
}

function sortByPrefix<Task>(jobs: Job<Task>[]): Job<Task>[] {
  return jobs.sort((a, b) =>
    a.encoded < b.encoded ? -1 : a.encoded > b.encoded ? 1 : a.id - b.id,
  );
}
