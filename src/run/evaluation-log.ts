import { rm } from 'node:fs/promises';
import type { RowPlan } from '../evaluation/evaluation.ts';
import { type RowState, rowState } from './resume.ts';
import { BegunRows, removeBegun } from './store/begun-rows.ts';
import { IdSet } from './store/id-set.ts';
import { AppendLog } from './store/log-file.ts';
import { type IndexedLog, readRowIndex } from './store/read-row-index.ts';
import type { ScoreRange } from './store/record-fault.ts';
import type { ProblemList } from './store/record-problem.ts';
import type { RowRecord } from './store/row-record.ts';
import { writeWhole } from './store/write-whole.ts';
import type { StoredEvaluation } from './stored-evaluation.ts';
import type { LogPart } from './summarize.ts';

type LogFiles = Pick<StoredEvaluation, 'logFile' | 'indexFile'>;

/** The log of an evaluation: what it held before this run, what is added, and which of it counts. */
export class EvaluationLog {
  readonly #files: LogFiles;
  readonly #log: AppendLog<RowRecord>;
  /** The log as it was before this run; its index takes in what is added. */
  readonly #old: IndexedLog;
  readonly #noted = new IdSet();
  /** What counts of the log until the index says so. */
  readonly #begun: BegunRows;

  private constructor(files: LogFiles, log: AppendLog<RowRecord>, old: IndexedLog) {
    this.#files = files;
    this.#log = log;
    this.#old = old;
    this.#begun = new BegunRows(files.indexFile, old.end);
  }

  /** Takes over what a log holds and cuts off a line that a crash tore. */
  static async open(
    stored: StoredEvaluation,
    range: ScoreRange | undefined,
  ): Promise<EvaluationLog> {
    const old = await readRowIndex(stored, range);
    const log = new EvaluationLog(stored, await AppendLog.open(stored.logFile, old.end), old);
    try {
      // It describes what the log is about to stop being.
      await rm(stored.indexFile, { force: true });
      return log;
    } catch (error) {
      await log.letGo();
      throw error;
    }
  }

  /** Damaged lines that the log had; all of them are known once the run is through. */
  get problems(): ProblemList {
    return this.#old.problems;
  }

  /** The lines of earlier starts that count for the rows of this run. */
  get earlier(): LogPart {
    const isCurrent = (id: number, offset: number) =>
      this.#noted.has(id) && this.#old.index.offsetOf(id) === offset;
    return { logFile: this.#files.logFile, end: this.#old.end, isCurrent };
  }

  note(id: number): void {
    this.#noted.add(id);
  }

  set total(rows: number) {
    this.#begun.total = rows;
  }

  /** What the log holds of a row as it would be asked now. */
  stateOf(plan: RowPlan, scoring: () => string): RowState {
    return rowState(this.#old, plan, scoring);
  }

  isAnswered(id: number): boolean {
    return this.#old.index.isAnswered(id);
  }

  lacksLogprobs(id: number): boolean {
    return this.#old.lacksLogprobs(id);
  }

  /** The line of an earlier start counts in this one. */
  keep(id: number): void {
    const offset = this.#old.index.offsetOf(id);
    if (offset !== undefined) this.#begun.keep(id, offset);
  }

  /** What a row was asked before no longer counts. */
  forget(id: number): void {
    this.#old.index.forget(id);
  }

  holds(key: string): boolean {
    return this.#old.index.findByKey(key) !== undefined;
  }

  /** What stands under the key of a request, and whether it did before this run. */
  async find(
    key: string,
  ): Promise<{ readonly record: RowRecord; readonly isKept: boolean } | undefined> {
    const offset = this.#old.index.findByKey(key);
    const record = offset === undefined ? undefined : await this.#log.read(offset);
    return offset === undefined || !record ? undefined : { record, isKept: offset < this.#old.end };
  }

  /** Writes what became of a row. */
  write(record: RowRecord): void {
    const offset = this.#log.append(record);
    const id = Number(record.id);
    const { key, kind, scoring } = record;
    if (record.outcome === 'failed') this.#old.index.setFailed(id, key, { offset, kind });
    else this.#old.index.set(id, key, offset, scoring);
  }

  /** Writes the answer to one of the requests of a row. */
  writePart(key: string, part: string | number, record: RowRecord): void {
    this.#old.index.setPart(key, this.#log.append({ ...record, part }));
  }

  /** Writes that one of the requests of a row failed: it is found by no key. */
  writeFailedPart(record: RowRecord): void {
    this.#log.append(record);
  }

  flush(): void {
    this.#begun.flush();
  }

  /** Closes the log of a run that comes to nothing. */
  letGo(): Promise<void> {
    this.#begun.flush();
    this.#begun.close();
    return this.#log.close();
  }

  /** Writes out everything, and the index that opens single rows. */
  async close(): Promise<void> {
    await this.#log.close();
    const places = this.#old.index.toParts((id) => this.#noted.has(id));
    await writeWhole(this.#files.indexFile, places);
    this.#begun.close();
    await removeBegun(this.#files.indexFile);
  }
}
