import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoglikelihoodResult } from '../model/loglikelihood.ts';
import type { GenerateResult } from '../model/model.ts';
import { KeyOffsets } from './store/key-offsets.ts';
import { lockFolder } from './store/lock.ts';
import { AppendLog, readLog } from './store/log-file.ts';
import { writing } from './store/write-whole.ts';

interface CachedAnswer {
  readonly key: string;
  readonly result: GenerateResult | LoglikelihoodResult;
  /** Where it came from, if it was not asked for. */
  readonly from?: 'cache' | undefined;
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
  static async read(folder: string): Promise<ReadonlyMap<string, CachedAnswer['result']>> {
    const answers = new Map<string, CachedAnswer['result']>();
    for await (const records of readLog<CachedAnswer>(fileIn(folder))) {
      for (const { record } of records) {
        if (isAnswer(record)) answers.set(record.key, withInfinities(record.result));
      }
    }
    return answers;
  }

  has(key: string): boolean {
    return this.#offsets.get(key) !== undefined;
  }

  async get(key: string): Promise<CachedAnswer['result'] | undefined> {
    return (await this.find(key))?.result;
  }

  /** The answer, and where it came from. */
  async find(key: string): Promise<CachedAnswer | undefined> {
    const offset = this.#offsets.get(key);
    if (offset === undefined) return undefined;
    const record = await this.#log.read(offset);
    return record.key === key ? { ...record, result: withInfinities(record.result) } : undefined;
  }

  put(key: string, result: CachedAnswer['result'], from?: CachedAnswer['from']): void {
    this.#offsets.set(key, this.#log.append({ key, result, from }));
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

/** JSON writes an infinite weight as null. */
function withInfinities(result: CachedAnswer['result']): CachedAnswer['result'] {
  if (!('weights' in result)) return result;
  const weights = result.weights.map((weight) => ({
    ...weight,
    logprob: weight.logprob ?? Number.NEGATIVE_INFINITY,
  }));
  return { ...result, weights };
}
