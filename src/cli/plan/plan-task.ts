import type { GenerateRequest, Model } from '../../model/model.ts';
import type { Encode } from '../../model/request.ts';
import type { WeighRequest } from '../../model/weigh.ts';
import type { Prompt } from '../../prompt/index.ts';
import { readLog } from '../../run/append-log.ts';
import { makeJobs } from '../../run/job.ts';
import type { JobSource } from '../../run/job-source.ts';
import { KeyOffsets } from '../../run/key-offsets.ts';
import { readRowIndex } from '../../run/read-row-index.ts';
import type { TaskSettings } from '../../run/task-settings.ts';
import { charactersOf, countTokens, sharedCharacters } from './measure-prompt.ts';

/** What a run would do for one model on one data set. */
export interface TaskPlan {
  readonly model: string;
  readonly dataset: string;
  readonly rows: number;
  /** Different requests among those of the rows. */
  readonly distinct: number;
  /** Rows whose answer is there: in their own record, in that of another row, in the cache. */
  readonly reused: { readonly log: number; readonly row: number; readonly cache: number };
  /** Requests that would be sent. */
  readonly send: number;
  readonly characters: number;
  /** Characters at the start of requests that the request before has as well. */
  readonly sharedCharacters: number;
  readonly inputTokens: number;
  /** The most that the answers can have; left out where there is no limit. */
  readonly outputTokens?: number;
}

export interface PlanSettings {
  readonly settings: TaskSettings;
  readonly model: Model;
  /** Left out: tokens are estimated. */
  readonly encode: Encode | undefined;
  /** Keys of the requests that the cache answers. */
  readonly cached: KeyOffsets | undefined;
}

/** Makes all requests of a task in the order of a run, and counts them instead of sending. */
export async function planTask(plan: PlanSettings): Promise<TaskPlan> {
  const { settings, model, encode, cached } = plan;
  const { index } = await readRowIndex(settings.logFile);
  const seen = new KeyOffsets();
  const sent = new KeyOffsets();
  const counts = { rows: 0, distinct: 0, log: 0, row: 0, cache: 0, send: 0 };
  const sizes = { characters: 0, shared: 0, input: 0, output: 0 };
  const source: JobSource = {
    ...settings,
    stop: settings.stop,
    note({ key }) {
      counts.rows++;
      if (addKey(seen, key)) counts.distinct++;
    },
    isDone({ id, key }) {
      const isDone = index.has(id, key);
      if (isDone) counts.log++;
      return isDone;
    },
    refuse() {
      counts.rows++;
    },
  };
  let before: Prompt | undefined;
  for await (const window of makeJobs(source, model)) {
    for (const { key, request } of window) {
      if (index.findByKey(key) !== undefined) counts.row++;
      else if (cached?.get(key) !== undefined) counts.cache++;
      else if (addKey(sent, key)) {
        counts.send++;
        for (const prompt of promptsOf(request)) {
          sizes.characters += charactersOf(prompt);
          sizes.shared += before ? sharedCharacters(before, prompt) : 0;
          sizes.input += countTokens(prompt, encode);
          before = prompt;
        }
        if ('prompt' in request) {
          sizes.output += request.maxOutLen ?? Number(model.identity.maxOutLen);
        }
      }
    }
  }
  const { rows, distinct, send, ...reused } = counts;
  return {
    model: settings.model,
    dataset: settings.dataset,
    rows,
    distinct,
    reused,
    send,
    characters: sizes.characters,
    sharedCharacters: sizes.shared,
    inputTokens: Math.round(sizes.input),
    ...(!Number.isNaN(sizes.output) && { outputTokens: sizes.output }),
  };
}

/** The texts of a request; those that are weighed come one after the other. */
function promptsOf(request: GenerateRequest | WeighRequest): readonly Prompt[] {
  if ('prompt' in request) return [request.prompt];
  return request.texts.map(({ text }) => ({ type: 'text', text }));
}

/** Whether the key is new. */
function addKey(keys: KeyOffsets, key: string): boolean {
  if (keys.get(key) !== undefined) return false;
  keys.set(key, 0);
  return true;
}

/** The keys that a cache of answers knows. */
export async function readCachedKeys(file: string): Promise<KeyOffsets> {
  const keys = new KeyOffsets();
  for await (const records of readLog<{ readonly key: string }>(file)) {
    for (const { record } of records) keys.set(record.key, 0);
  }
  return keys;
}
