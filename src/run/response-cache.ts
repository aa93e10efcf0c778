import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { GenerateResult } from '../model/model.ts';
import { AppendLog, readLog } from './append-log.ts';
import { KeyOffsets } from './key-offsets.ts';

interface CachedAnswer {
  readonly key: string;
  readonly result: GenerateResult;
}

/** Answers of all runs by the key of their request. */
export class ResponseCache {
  readonly #log: AppendLog<CachedAnswer>;
  readonly #offsets: KeyOffsets;

  private constructor(log: AppendLog<CachedAnswer>, offsets: KeyOffsets) {
    this.#log = log;
    this.#offsets = offsets;
  }

  static async open(folder: string): Promise<ResponseCache> {
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'answers.jsonl');
    const offsets = new KeyOffsets();
    const records = readLog<CachedAnswer>(file);
    let next = await records.next();
    for (; !next.done; next = await records.next()) {
      for (const { record, offset } of next.value) offsets.set(record.key, offset);
    }
    return new ResponseCache(await AppendLog.open(file, next.value), offsets);
  }

  has(key: string): boolean {
    return this.#offsets.get(key) !== undefined;
  }

  async get(key: string): Promise<GenerateResult | undefined> {
    const offset = this.#offsets.get(key);
    if (offset === undefined) return undefined;
    const record = await this.#log.read(offset);
    return record.key === key ? record.result : undefined;
  }

  put(key: string, result: GenerateResult): void {
    this.#offsets.set(key, this.#log.append({ key, result }));
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}
