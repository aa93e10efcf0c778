import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyOffsets } from './store/key-offsets.ts';
import { lockFolder } from './store/lock.ts';
import { AppendLog, readLog } from './store/log-file.ts';
import {
  type ModelAnswer,
  restoreAnswer,
  type StoredAnswer,
  storeAnswer,
} from './store/stored-answer.ts';
import { writing } from './store/write-whole.ts';

interface CachedAnswer {
  readonly key: string;
  readonly result: StoredAnswer;
  /** Where it came from, if it was not asked for. */
  readonly from?: 'cache' | undefined;
  /** Left out by older versions. */
  readonly asked?: CachedRequest | undefined;
}

/** An answer, and where it came from if it was not asked for. */
interface FoundInCache extends Pick<CachedAnswer, 'from'> {
  readonly result: ModelAnswer;
}

/** What a cache keeps of a request, to say why another is not the same. */
export interface CachedRequest {
  /** Hash of the prompt. */
  readonly prompt: string;
  /** Hash of the model's identity. */
  readonly model: string;
  readonly maxOutLen?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly seed?: number | undefined;
}

/** A model that requests of a cache were sent to. */
export interface CachedModel {
  /** Hash of its identity. */
  readonly model: string;
  readonly harness: string;
  readonly identity: Readonly<Record<string, unknown>>;
}

/** Answers of all runs by the key of their request. */
export class ResponseCache {
  readonly #log: AppendLog<CachedAnswer | CachedModel>;
  readonly #offsets: KeyOffsets;
  readonly #models: Set<string>;
  readonly #unlock: () => Promise<void>;

  private constructor(parts: {
    readonly log: AppendLog<CachedAnswer | CachedModel>;
    readonly offsets: KeyOffsets;
    readonly models: Set<string>;
    readonly unlock: () => Promise<void>;
  }) {
    this.#log = parts.log;
    this.#offsets = parts.offsets;
    this.#models = parts.models;
    this.#unlock = parts.unlock;
  }

  /** Opens the cache in a folder; one process at a time. */
  static async open(folder: string): Promise<ResponseCache> {
    const unlock = await writing(folder, async () => {
      await mkdir(folder, { recursive: true });
      return lockFolder(folder);
    });
    const file = fileIn(folder);
    const offsets = new KeyOffsets();
    const models = new Set<string>();
    const records = readLog<CachedAnswer | CachedModel>(file);
    let next = await records.next();
    for (; !next.done; next = await records.next()) {
      for (const { record, offset } of next.value) {
        if (isAnswer(record)) offsets.set(record.key, offset);
        else if (isModel(record)) models.add(modelKey(record));
      }
    }
    const log = await AppendLog.open<CachedAnswer | CachedModel>(file, next.value);
    return new ResponseCache({ log, offsets, models, unlock });
  }

  /** Reads all answers in a folder, which another process may write to. */
  static async read(folder: string): Promise<ReadonlyMap<string, ModelAnswer>> {
    const answers = new Map<string, ModelAnswer>();
    for await (const records of readLog<CachedAnswer | CachedModel>(fileIn(folder))) {
      for (const { record } of records) {
        if (!isAnswer(record)) continue;
        const answer = restoreAnswer(record.result);
        if (answer) answers.set(record.key, answer);
      }
    }
    return answers;
  }

  has(key: string): boolean {
    return this.#offsets.get(key) !== undefined;
  }

  async get(key: string): Promise<ModelAnswer | undefined> {
    return (await this.find(key))?.result;
  }

  /** The answer, and where it came from. */
  async find(key: string): Promise<FoundInCache | undefined> {
    const offset = this.#offsets.get(key);
    if (offset === undefined) return undefined;
    const record = await this.#log.read(offset);
    if (!isAnswer(record) || record.key !== key) return undefined;
    const result = restoreAnswer(record.result);
    return result && { result, from: record.from };
  }

  put(key: string, answer: ModelAnswer, { from, asked }: Partial<CachedAnswer> = {}): void {
    const result = storeAnswer(answer);
    this.#offsets.set(key, this.#log.append({ key, result, from, asked }));
  }

  /** Keeps what the model of some requests is, once. */
  putModel(model: CachedModel): void {
    if (this.#models.has(modelKey(model))) return;
    this.#models.add(modelKey(model));
    this.#log.append(model);
  }

  async close(): Promise<void> {
    try {
      await this.#log.close();
    } finally {
      await this.#unlock();
    }
  }
}

/** The keys of the requests that the cache in a folder answers. */
export async function readCachedKeys(folder: string): Promise<KeyOffsets> {
  const keys = new KeyOffsets();
  for await (const records of readLog<CachedAnswer | CachedModel>(fileIn(folder))) {
    for (const { record } of records) if (isAnswer(record)) keys.set(record.key, 0);
  }
  return keys;
}

/** What the cache in a folder says of its requests. */
export interface CachedRequests {
  readonly keys: ReadonlySet<string>;
  /** Requests with one of the prompts that were looked for, by the hash of the prompt. */
  readonly byPrompt: ReadonlyMap<string, readonly CachedRequest[]>;
  readonly models: ReadonlyMap<string, CachedModel>;
  /** Answers of which nothing but the key is known. */
  readonly unknown: number;
}

/** Looks in a cache for requests with some prompts. */
export async function readCachedRequests(
  folder: string,
  prompts: ReadonlySet<string>,
): Promise<CachedRequests> {
  const keys = new Set<string>();
  const byPrompt = new Map<string, CachedRequest[]>();
  const models = new Map<string, CachedModel>();
  let unknown = 0;
  for await (const records of readLog<CachedAnswer | CachedModel>(fileIn(folder))) {
    for (const { record } of records) {
      if (isModel(record)) models.set(record.model, record);
      if (!isAnswer(record)) continue;
      keys.add(record.key);
      const { asked } = record;
      if (!asked) unknown++;
      else if (prompts.has(asked.prompt)) {
        byPrompt.set(asked.prompt, [...(byPrompt.get(asked.prompt) ?? []), asked]);
      }
    }
  }
  return { keys, byPrompt, models, unknown };
}

function fileIn(folder: string): string {
  return join(folder, 'answers.jsonl');
}

/** A damaged line may hold anything. */
function isAnswer(record: Partial<CachedAnswer> | CachedModel): record is CachedAnswer {
  const { key, result }: Partial<CachedAnswer> = 'identity' in record ? {} : record;
  return typeof key === 'string' && typeof result === 'object' && result !== null;
}

function isModel(record: Partial<CachedAnswer> | CachedModel): record is CachedModel {
  return 'identity' in record && typeof record.model === 'string';
}

function modelKey({ model, harness }: CachedModel): string {
  return `${harness} ${model}`;
}
