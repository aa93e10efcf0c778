import { setTimeout as sleep } from 'node:timers/promises';
import { formatValue } from '../../prompt/values.ts';
import { searchedTexts } from '../../report/snapshot/searched-texts.ts';
import { IdSet } from '../../run/store/id-set.ts';
import { readLines } from '../../run/store/log-file.ts';
import { recordOfLine } from '../../run/store/read-rows.ts';
import { turn } from './background.ts';
import type { DataRows } from './data-rows.ts';

/** Where a text is looked for. */
export interface SearchPlaces {
  readonly logFiles: readonly string[];
  readonly data?: DataRows | undefined;
}

/** Rows that hold a text, in their data or in what was answered; found in the background. */
export class RowSearch {
  readonly hits = new IdSet();
  /** What is looked for, in small letters. */
  readonly text: string;
  readonly #quoted: string;
  readonly #work: Promise<unknown>;
  #isDone = false;
  #isClosed = false;
  #error: unknown;

  constructor(text: string, { logFiles, data }: SearchPlaces) {
    this.text = text.toLowerCase();
    this.#quoted = JSON.stringify(text).slice(1, -1).toLowerCase();
    this.#work = Promise.all([
      ...logFiles.map((file) => this.#searchLog(file)),
      ...(data ? [this.#searchData(data)] : []),
    ])
      .catch((error: unknown) => {
        this.#error = error;
      })
      .finally(() => {
        this.#isDone = true;
      });
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Waits for the end, or for some hits; not longer than so many milliseconds. */
  async wait(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (!this.#isDone && performance.now() < end) {
      await Promise.race([this.#work, sleep(40)]);
      if (this.hits.size >= 20 && performance.now() > end - ms / 2) break;
    }
    if (this.#error) throw this.#error;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #searchLog(file: string): Promise<void> {
    const found = readLines(file, ({ text = '' }) => {
      if (!text.toLowerCase().includes(this.#quoted)) return undefined;
      const record = recordOfLine(Buffer.from(text));
      return record && this.#isIn(searchedTexts(record)) ? record.id : undefined;
    });
    for await (const batch of found) {
      for (const { record } of batch) this.hits.add(record);
      await turn();
      if (this.#isClosed) return;
    }
  }

  async #searchData(data: DataRows): Promise<void> {
    for await (const batch of data.lines()) {
      for (const { text, row } of batch) {
        if (!text.toLowerCase().includes(this.#quoted)) continue;
        const found = row();
        if (this.#isIn(Object.values(found.row))) this.hits.add(found.id);
      }
      await turn();
      if (this.#isClosed) return;
    }
  }

  #isIn(values: readonly unknown[]): boolean {
    return values.some(
      (value) =>
        value !== undefined &&
        value !== null &&
        formatValue(value).toLowerCase().includes(this.text),
    );
  }
}
