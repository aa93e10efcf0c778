import { rename, rm, writeFile } from 'node:fs/promises';
import { AppendLog, readLog } from '../../run/append-log.ts';
import { addToIndex, readRowIndex } from '../../run/read-row-index.ts';
import { RowIndex } from '../../run/row-index.ts';
import type { RowRecord } from '../../run/row-log.ts';
import { RecordReader } from './record-reader.ts';

interface LogFiles {
  readonly logFile: string;
  readonly indexFile: string;
}

/** A new log that is written beside the old one, and takes its place as a whole. */
export class LogDraft {
  readonly #files: LogFiles;
  readonly #old: RecordReader;
  readonly #oldIndex: RowIndex;
  readonly #log: AppendLog<RowRecord>;
  readonly #index = new RowIndex();

  private constructor(files: LogFiles, { old, oldIndex, log }: DraftParts) {
    this.#files = files;
    this.#old = old;
    this.#oldIndex = oldIndex;
    this.#log = log;
  }

  static async open(files: LogFiles): Promise<LogDraft> {
    return new LogDraft(files, {
      old: await RecordReader.open(files.logFile),
      oldIndex: (await readRowIndex(files.logFile)).index,
      log: await AppendLog.open<RowRecord>(draftOf(files.logFile), 0),
    });
  }

  /** The rows that the old log has a record of. */
  *ids(): Generator<number> {
    const count = this.#oldIndex.toBytes().length / Float64Array.BYTES_PER_ELEMENT;
    for (let id = 0; id < count; id++) {
      if (this.#oldIndex.offsetOf(id) !== undefined) yield id;
    }
  }

  /** The newest record of a row in the old log. */
  async read(id: number): Promise<RowRecord | undefined> {
    const offset = this.#oldIndex.offsetOf(id);
    return offset === undefined ? undefined : this.#old.read(offset);
  }

  /** The line of a part in the old log. */
  async readPart(key: string): Promise<RowRecord | undefined> {
    const offset = this.#oldIndex.findByKey(key);
    return offset === undefined ? undefined : this.#old.read(offset);
  }

  write(record: RowRecord): void {
    addToIndex(this.#index, record, this.#log.append(record));
  }

  /** Takes over parts, and rows that were not written: another selection may need them. */
  async keepOthers(): Promise<void> {
    for await (const records of readLog<RowRecord>(this.#files.logFile)) {
      for (const { record, offset } of records) {
        const id = Number(record.id);
        if (record.part !== undefined) this.write(record);
        const isNewest = this.#oldIndex.offsetOf(id) === offset;
        if (isNewest && this.#index.offsetOf(id) === undefined) this.write(record);
      }
    }
  }

  async close(): Promise<void> {
    await this.#old.close();
    await this.#log.close();
  }

  /** Puts the new log in place; there is no moment at which an index does not fit its log. */
  async commit(): Promise<void> {
    const { logFile, indexFile } = this.#files;
    await writeFile(draftOf(indexFile), this.#index.toBytes());
    await rm(indexFile, { force: true });
    await rename(draftOf(logFile), logFile);
    await rename(draftOf(indexFile), indexFile);
  }

  async discard(): Promise<void> {
    await rm(draftOf(this.#files.logFile), { force: true });
  }
}

interface DraftParts {
  readonly old: RecordReader;
  readonly oldIndex: RowIndex;
  readonly log: AppendLog<RowRecord>;
}

function draftOf(file: string): string {
  return `${file}.part`;
}
