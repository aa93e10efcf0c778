import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoglikelihoodResult } from '../model/loglikelihood.ts';
import type { GenerateResult } from '../model/model.ts';
import { KeyOffsets } from './store/key-offsets.ts';
import { lockFolder } from './store/lock.ts';
import { AppendLog, readLog } from './store/log-file.ts';
import { restoreLogprobs, type StoredLogprobs, storeLogprobs } from './store/stored-logprobs.ts';
import { writing } from './store/write-whole.ts';

type Answer = GenerateResult | LoglikelihoodResult;

type StoredAnswer =
  | GenerateResult
  | (Omit<LoglikelihoodResult, 'logprobs'> & { readonly logprobs: readonly StoredLogprobs[] });

interface CachedAnswer {
  readonly key: string;
  readonly result: StoredAnswer;
}

/** Answers of all runs by the key of their request. */
export class ResponseCache {
  readonly #log: AppendLog<CachedAnswer>;
  readonly #offsets: KeyOffsets;
  readonly #unlock: () => Promise<void>;

  private constructor(parts: {
    readonly log: AppendLog<CachedAnswer>;
    readonly offsets: KeyOffsets;
    readonly unlock: () => Promise<void>;
  }) {
    this.#log = parts.log;
    this.#offsets = parts.offsets;
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
    const records = readLog<CachedAnswer>(file);
    let next = await records.next();
    for (; !next.done; next = await records.next()) {
      for (const { record, offset } of next.value) {
        if (isAnswer(record)) offsets.set(record.key, offset);
      }
    }
    return new ResponseCache({ log: await AppendLog.open(file, next.value), offsets, unlock });
  }

  /** Reads all answers in a folder, which another process may write to. */
  static async read(folder: string): Promise<ReadonlyMap<string, Answer>> {
    const answers = new Map<string, Answer>();
    for await (const records of readLog<CachedAnswer>(fileIn(folder))) {
      for (const { record } of records) {
        const answer = isAnswer(record) ? restore(record.result) : undefined;
        if (answer) answers.set(record.key, answer);
      }
    }
    return answers;
  }

  has(key: string): boolean {
    return this.#offsets.get(key) !== undefined;
  }

  async get(key: string): Promise<Answer | undefined> {
    const offset = this.#offsets.get(key);
    if (offset === undefined) return undefined;
    const record = await this.#log.read(offset);
    return record.key === key ? restore(record.result) : undefined;
  }

  put(key: string, answer: Answer): void {
    const result: StoredAnswer =
      'logprobs' in answer ? { ...answer, logprobs: storeLogprobs(answer.logprobs) } : answer;
    this.#offsets.set(key, this.#log.append({ key, result }));
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
  for await (const records of readLog<CachedAnswer>(fileIn(folder))) {
    for (const { record } of records) keys.set(record.key, 0);
  }
  return keys;
}

function fileIn(folder: string): string {
  return join(folder, 'answers.jsonl');
}

/** A damaged line may hold anything. */
function isAnswer({ key, result }: Partial<CachedAnswer>): boolean {
  return typeof key === 'string' && typeof result === 'object' && result !== null;
}

function restore(result: StoredAnswer): Answer | undefined {
  if (!('logprobs' in result)) return 'text' in result ? result : undefined;
  const logprobs = restoreLogprobs(result.logprobs);
  return logprobs && { ...result, logprobs };
}
