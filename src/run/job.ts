import type { GenerateRequest, Model } from '../model/model.ts';
import type { NamedRow } from '../prompt/index.ts';
import { promptHash, requestKey } from './key.ts';
import type { TaskRun } from './task-run.ts';

/** One row to be asked about. */
export interface Job {
  readonly task: TaskRun;
  readonly id: number;
  readonly row: NamedRow['row'];
  readonly request: GenerateRequest;
  /** What is sent. */
  readonly encoded: string;
  readonly key: string;
  readonly prompt: string;
  readonly dropped: number;
  attempts: number;
}

/** Rows are taken in windows of this size; within one, requests with a shared beginning are neighbours. */
const windowSize = 4096;

/** The rows of a task that are not answered yet, as jobs, a window at a time. */
export async function* makeJobs(task: TaskRun, model: Model): AsyncGenerator<Job[]> {
  let window: Job[] = [];
  for await (const batch of task.rows) {
    for (const named of batch) {
      const job = makeJob(task, model, named);
      task.note(job);
      if (!task.isDone(job)) window.push(job);
    }
    if (window.length < windowSize) continue;
    yield sortByPrefix(window);
    window = [];
  }
  if (window.length > 0) yield sortByPrefix(window);
}

function makeJob(task: TaskRun, model: Model, { id, row }: NamedRow): Job {
  const { prompt, dropped } = task.promptOf({ id, row, index: Number(id) });
  const asked = { prompt, maxOutLen: task.maxOutLenOf(row), stop: task.stop, id };
  const encoded = model.encode(asked);
  const key = requestKey(encoded, task.modelIdentity);
  return {
    task,
    id: Number(id),
    row,
    request: { ...asked, body: encoded, key },
    encoded,
    key,
    prompt: promptHash(prompt),
    dropped,
    attempts: 0,
  };
}

function sortByPrefix(jobs: Job[]): Job[] {
  return jobs.sort((a, b) =>
    a.encoded < b.encoded ? -1 : a.encoded > b.encoded ? 1 : a.id - b.id,
  );
}
