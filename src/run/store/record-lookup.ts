import { type FileHandle, open } from 'node:fs/promises';
import { RunError } from '../../errors.ts';
import { readRowAt, recordOfLine } from './read-rows.ts';
import type { RowFiles } from './row-places.ts';
import type { RowRecord } from './row-record.ts';

const windowBytes = 1 << 22;
const lineEnd = 10;

/**
 * Opens single records of a log, without reading the log through: by the row, where there is an
 * index, or by where they start.
 */
export class RecordLookup {
  readonly #log: FileHandle;
  readonly #index: FileHandle | undefined;
  /** The stretch around the last record: a run answers rows in almost the order of the data. */
  #window: Buffer = Buffer.alloc(0);
  #start = 0;

  private constructor(log: FileHandle, index: FileHandle | undefined) {
    this.#log = log;
    this.#index = index;
  }

  static async open({
    logFile,
    indexFile,
  }: Pick<RowFiles, 'logFile'> & Partial<RowFiles>): Promise<RecordLookup> {
    const log = await open(logFile, 'r');
    try {
      return new RecordLookup(
        log,
        indexFile === undefined ? undefined : await open(indexFile, 'r'),
      );
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  /** How a row ended, or nothing if the run did not answer it, or its record is damaged. */
  async row(id: number): Promise<RowRecord | undefined> {
    const entry = Buffer.alloc(8);
    await this.#index?.read(entry, 0, 8, id * 8);
    const offset = entry.readDoubleLE(0);
    const record = offset > 0 ? await readRowAt(this.#log, offset - 1) : undefined;
    return record?.id === id ? record : undefined;
  }

  /** The record that starts at an offset, as an index of the same log says. */
  async recordAt(offset: number): Promise<RowRecord> {
    const known = this.#find(offset);
    if (known) return known;
    await this.#move(Math.max(0, offset - windowBytes / 4));
    const record = this.#find(offset) ?? (await readRowAt(this.#log, offset));
    if (record) return record;
    throw new RunError('run.torn_log', `no record starts at byte ${offset} of the log`, {
      hint: 'Something else is writing to the folder. Run the command again.',
    });
  }

  async close(): Promise<void> {
    await this.#log.close();
    await this.#index?.close();
  }

  #find(offset: number): RowRecord | undefined {
    const start = offset - this.#start;
    if (start < 0 || start >= this.#window.length) return undefined;
    const end = this.#window.indexOf(lineEnd, start);
    return end < 0 ? undefined : recordOfLine(this.#window.subarray(start, end));
  }

  async #move(start: number): Promise<void> {
    const buffer = Buffer.alloc(windowBytes);
    const { bytesRead } = await this.#log.read(buffer, 0, windowBytes, start);
    this.#start = start;
    this.#window = buffer.subarray(0, bytesRead);
  }
}
