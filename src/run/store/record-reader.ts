import { type FileHandle, open } from 'node:fs/promises';
import { RunError } from '../../errors.ts';
import { readRowAt, recordOfLine } from './read-rows.ts';
import type { RowRecord } from './row-log.ts';

const windowBytes = 1 << 22;
const lineEnd = 10;

/**
 * Reads records of a log by their place. A run answers rows in almost the order of the data, so the
 * next record is mostly near the last one: the stretch around it is kept.
 */
export class RecordReader {
  readonly #handle: FileHandle;
  #start = 0;
  #window: Buffer = Buffer.alloc(0);

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(logFile: string): Promise<RecordReader> {
    return new RecordReader(await open(logFile, 'r'));
  }

  async read(offset: number): Promise<RowRecord> {
    const known = this.#find(offset);
    if (known) return known;
    await this.#move(Math.max(0, offset - windowBytes / 4));
    const record = this.#find(offset) ?? (await readRowAt(this.#handle, offset));
    if (record) return record;
    throw new RunError('run.torn_log', `no record starts at byte ${offset} of the log`, {
      hint: 'Something else writes to the folder; run the command again.',
    });
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #find(offset: number): RowRecord | undefined {
    const start = offset - this.#start;
    if (start < 0 || start >= this.#window.length) return undefined;
    const end = this.#window.indexOf(lineEnd, start);
    return end < 0 ? undefined : recordOfLine(this.#window.subarray(start, end));
  }

  async #move(start: number): Promise<void> {
    const buffer = Buffer.alloc(windowBytes);
    const { bytesRead } = await this.#handle.read(buffer, 0, windowBytes, start);
    this.#start = start;
    this.#window = buffer.subarray(0, bytesRead);
  }
}
