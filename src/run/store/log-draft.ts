import { rename, rm, writeFile } from 'node:fs/promises';
import { removeBegun } from './begun-rows.ts';
import { IdSet } from './id-set.ts';
import { AppendLog } from './log-file.ts';
import { PartPlaces } from './part-places.ts';
import { addToIndex, type IndexedLog, readRowIndex } from './read-row-index.ts';
import { readRows, recordProblem } from './read-rows.ts';
import type { ScoreRange } from './record-fault.ts';
import { RecordLookup } from './record-lookup.ts';
import type { ProblemList } from './record-problem.ts';
import { RowIndex } from './row-index.ts';
import type { RowFiles } from './row-places.ts';
import type { RowRecord } from './row-record.ts';

/** A new log that is written beside the old one, and takes its place as a whole. */
export class LogDraft {
  readonly #files: RowFiles;
  readonly #old: RecordLookup;
  readonly #oldLog: IndexedLog;
  readonly #log: AppendLog<RowRecord>;
  readonly #index = new RowIndex();
  /** Rows that count from now on. */
  readonly #counted = new IdSet();
  readonly #dropped = new IdSet();
  /** Where answers stand that were kept and not scored, of rows without a record. */
  readonly #pending = new Map<number, number>();
  #oldParts: Promise<PartPlaces> | undefined;
  readonly #newParts = new PartPlaces();
  readonly #partsAlone = new IdSet();

  private constructor(files: RowFiles, { old, oldLog, log }: DraftParts) {
    this.#files = files;
    this.#old = old;
    this.#oldLog = oldLog;
    this.#log = log;
  }

  /** `range` is that of the scores that the last run gave. */
  static async open({ logFile, indexFile }: RowFiles, range?: ScoreRange): Promise<LogDraft> {
    const files = { logFile, indexFile };
    const oldLog = await readRowIndex(files, range);
    for (const id of oldLog.places?.ids() ?? []) oldLog.rejects(id);
    const old = await RecordLookup.open({ logFile });
    const log = await AppendLog.open<RowRecord>(draftOf(logFile), 0).catch(async (error) => {
      await old.close();
      throw error;
    });
    const draft = new LogDraft(files, { oldLog, old, log });
    try {
      for (const id of wildIds(oldLog)) {
        await draft.drop(id, `id ${id} is far beyond the other rows`);
      }
    } catch (error) {
      await draft.close();
      await draft.discard();
      throw error;
    }
    return draft;
  }

  /** Damaged lines of the old log; the new one does not have them. */
  get problems(): ProblemList {
    return this.#oldLog.problems;
  }

  /** How many rows have parts and no record, of those that were kept. */
  get partsAlone(): number {
    return this.#partsAlone.size;
  }

  /** The rows that the last run took and the old log has a record of. */
  *ids(): Generator<number> {
    const { index, places } = this.#oldLog;
    for (const id of index.ids()) {
      const isTaken = !places || places.offsetOf(id) !== undefined;
      if (isTaken && !this.#dropped.has(id)) yield id;
    }
  }

  /** Takes answers for rows that a run kept and was ended before it could score them. */
  async takePending(): Promise<void> {
    const { index } = this.#oldLog;
    for await (const records of readRows(this.#files.logFile)) {
      for (const { record, offset } of records) {
        const isPending = record.part === 'answer' && index.offsetOf(record.id) === undefined;
        if (isPending && !this.#dropped.has(record.id)) this.#pending.set(record.id, offset);
      }
    }
  }

  /** The rows that have no more than such an answer. */
  pendingIds(): Iterable<number> {
    return this.#pending.keys();
  }

  /** The newest record of a row in the old log. */
  async read(id: number): Promise<RowRecord | undefined> {
    const offset = this.#oldLog.index.offsetOf(id) ?? this.#pending.get(id);
    if (offset === undefined) return undefined;
    const { part: _, ...record } = await this.#old.recordAt(offset);
    return record;
  }

  /** The newest line of a part of a row in the old log. */
  async readPart(id: number, key: string): Promise<RowRecord | undefined> {
    this.#oldParts ??= PartPlaces.read(this.#files.logFile);
    const own = (await this.#oldParts).get(id, key);
    const offset = own ?? this.#oldLog.index.findByKey(key);
    return offset === undefined ? undefined : this.#old.recordAt(offset);
  }

  write(record: RowRecord): void {
    this.#counted.add(record.id);
    this.#append(record);
  }

  /** Writes a part of a row anew; its old lines are not taken over. */
  writePart(record: RowRecord): void {
    this.#newParts.set(record.id, record.key, 0);
    this.#append(record);
  }

  /** Leaves a row out of the new log, so that it is asked again, and names it. */
  async drop(id: number, reason: string): Promise<void> {
    this.#dropped.add(id);
    const { logFile } = this.#files;
    const place = this.#oldLog.index.offsetOf(id);
    for await (const records of readRows(logFile)) {
      const found = records.find(({ offset }) => offset === place);
      if (found) this.problems.add(recordProblem(logFile, found, reason));
    }
  }

  /** Takes over parts, and rows that were not written: another selection may need them. */
  async keepOthers(): Promise<void> {
    for await (const records of readRows(this.#files.logFile)) {
      for (const { record, offset } of records) {
        if (record.part !== undefined) {
          if (!this.#isRewritten(record)) this.#append(record);
          if (this.#isAlone(record)) this.#partsAlone.add(record.id);
        } else if (this.#isLeftOver(record.id, offset)) this.#append(record);
      }
    }
  }

  #isAlone({ id, part }: RowRecord): boolean {
    const isKnown = [this.#index, this.#oldLog.index].some((one) => one.offsetOf(id) !== undefined);
    return typeof part === 'number' && !isKnown;
  }

  #isRewritten({ id, key, part }: RowRecord): boolean {
    return typeof part === 'number' && this.#newParts.get(id, key) !== undefined;
  }

  #isLeftOver(id: number, offset: number): boolean {
    const isNewest = this.#oldLog.index.offsetOf(id) === offset;
    return isNewest && !this.#dropped.has(id) && this.#index.offsetOf(id) === undefined;
  }

  #append(record: RowRecord): void {
    addToIndex(this.#index, record, this.#log.append(record));
  }

  async close(): Promise<void> {
    await this.#old.close();
    await this.#log.close();
  }

  /** Puts the new log in place; there is no moment at which an index does not fit its log. */
  async commit(): Promise<void> {
    const { logFile, indexFile } = this.#files;
    const places = this.#index.toParts((id) => this.#counted.has(id));
    await writeFile(draftOf(indexFile), places);
    await rm(indexFile, { force: true });
    await rename(draftOf(logFile), logFile);
    await rename(draftOf(indexFile), indexFile);
    await removeBegun(indexFile);
  }

  async discard(): Promise<void> {
    await rm(draftOf(this.#files.logFile), { force: true });
  }
}

const widestGap = 1 << 24;

/** Without an index nothing tells a damaged number; the new index would be as long as it says. */
function wildIds({ index, places }: IndexedLog): number[] {
  const wild: number[] = [];
  let last = 0;
  for (const id of places ? [] : index.ids()) {
    if (id - last > widestGap) wild.push(id);
    else last = id;
  }
  return wild;
}

interface DraftParts {
  readonly old: RecordLookup;
  readonly oldLog: IndexedLog;
  readonly log: AppendLog<RowRecord>;
}

function draftOf(file: string): string {
  return `${file}.part`;
}
