import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatValue } from '../../prompt/values.ts';
import { searchedTexts } from '../../report/snapshot/searched-texts.ts';
import { IdSet } from '../../run/store/id-set.ts';
import { readLines } from '../../run/store/log-file.ts';
import { recordOfLine } from '../../run/store/read-rows.ts';
import { turn } from './background.ts';
import type { DataRows } from './data-rows.ts';
import { unpackRow } from './pack-row.ts';

/** Where a text is looked for. */
export interface SearchPlaces {
  readonly logFiles: readonly string[];
  readonly data?: DataRows | undefined;
}

/** A log, as far as it was searched. */
interface SearchedLog {
  readonly file: string;
  end: number;
  /** How long it was when it was last looked at. */
  size: number;
}

/** Rows that hold a text, in their data or in what was answered; found in the background. */
export class RowSearch {
  readonly hits = new IdSet();
  /** What is looked for, in small letters. */
  readonly text: string;
  readonly #quoted: string;
  readonly #logs: readonly SearchedLog[];
  #work: Promise<unknown> | undefined;
  #isClosed = false;
  #error: unknown;

  constructor(text: string, { logFiles, data }: SearchPlaces) {
    this.text = text.toLowerCase();
    this.#quoted = JSON.stringify(text).slice(1, -1).toLowerCase();
    this.#logs = logFiles.map((file) => ({ file, end: 0, size: 0 }));
    this.#start(() => [
      ...this.#logs.map((log) => this.#searchLog(log)),
      ...(data ? [this.#searchData(data)] : []),
    ]);
  }

  get isDone(): boolean {
    return this.#work === undefined;
  }

  /** Looks at what logs have gained since. */
  async goOn(): Promise<void> {
    if (this.#work) return;
    const grown: SearchedLog[] = [];
    for (const log of this.#logs) {
      const { size } = await stat(log.file);
      if (size > log.size) grown.push(log);
    }
    if (grown.length > 0 && !this.#work) {
      this.#start(() => grown.map((log) => this.#searchLog(log)));
    }
  }

  /** Waits for the end, or for some hits; not longer than so many milliseconds. */
  async wait(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (this.#work && performance.now() < end) {
      await Promise.race([this.#work, sleep(40)]);
      if (this.hits.size >= 20 && performance.now() > end - ms / 2) break;
    }
    if (this.#error) throw this.#error;
  }

  close(): void {
    this.#isClosed = true;
  }

  #start(parts: () => readonly Promise<void>[]): void {
    this.#work = Promise.all(parts())
      .catch((error: unknown) => {
        this.#error = error;
      })
      .finally(() => {
        this.#work = undefined;
      });
  }

  async #searchLog(log: SearchedLog): Promise<void> {
    log.size = (await stat(log.file)).size;
    const found = readLines(
      log.file,
      ({ text = '' }) => {
        if (!text.toLowerCase().includes(this.#quoted)) return undefined;
        const record = recordOfLine(Buffer.from(text));
        return record && this.#isIn(searchedTexts(record)) ? record.id : undefined;
      },
      { offset: log.end, line: 1 },
    );
    let next = await found.next();
    for (; !next.done && !this.#isClosed; next = await found.next()) {
      for (const { record } of next.value) this.hits.add(record);
      await turn();
    }
    if (next.done) log.end = next.value.end;
    else await found.return({ end: log.end });
  }

  async #searchData(data: DataRows): Promise<void> {
    for await (const batch of data.lines()) {
      for (const { record } of batch) {
        if (!record.toLowerCase().includes(this.#quoted)) continue;
        const { id, row } = unpackRow(record);
        if (this.#isIn(Object.values(row))) this.hits.add(id);
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
