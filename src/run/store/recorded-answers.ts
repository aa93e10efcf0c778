import { type Evaluation, goldOf, type RowPlan } from '../../evaluation/evaluation.ts';
import { rowHash, scoringHash } from '../../evaluation/key.ts';
import type { Row } from '../../prompt/values.ts';
import { rowTraits } from '../../score/scorer.ts';
import { type IndexedLog, readRowIndex } from './read-row-index.ts';
import { RecordLookup } from './record-lookup.ts';
import type { RowFiles } from './row-places.ts';
import type { RowRecord } from './row-record.ts';

/** The answers that the log of an evaluation holds, by row and by request. */
export class RecordedAnswers {
  readonly #logFile: string;
  readonly #log: IndexedLog;
  readonly #scoringOf: (row: Row) => string;
  #reader: Promise<RecordLookup> | undefined;

  private constructor(logFile: string, log: IndexedLog, scoringOf: (row: Row) => string) {
    this.#logFile = logFile;
    this.#log = log;
    this.#scoringOf = scoringOf;
  }

  get #index(): IndexedLog['index'] {
    return this.#log.index;
  }

  /** A log that is not there yet holds nothing. */
  static async open(
    files: RowFiles,
    { scorer, scorerIdentity, task }: Pick<Evaluation, 'scorer' | 'scorerIdentity' | 'task'>,
  ): Promise<RecordedAnswers> {
    const log = await readRowIndex(files, rowTraits(scorer).range);
    return new RecordedAnswers(files.logFile, log, (row) =>
      scoringHash(scorerIdentity, goldOf(task, row), rowHash(row)),
    );
  }

  /** Whether a row is answered as it would be asked now. */
  isAnswered({ id, key }: Pick<RowPlan, 'id' | 'key'>): boolean {
    return this.#index.has(Number(id), key) && !this.#log.rejects(Number(id));
  }

  /** Whether a row is answered as it would be asked now, and scored as it would be. */
  isDone(plan: Pick<RowPlan, 'id' | 'key' | 'row'>): boolean {
    return (
      this.isAnswered(plan) && this.#index.hasScoring(Number(plan.id), this.#scoringOf(plan.row))
    );
  }

  /** Whether there is an answer to a request, be it of another row. */
  knows(key: string): boolean {
    return this.#index.findByKey(key) !== undefined;
  }

  async answerTo(key: string): Promise<string | undefined> {
    return (await this.record(key))?.answer;
  }

  /** The line of a request. */
  async record(key: string): Promise<RowRecord | undefined> {
    const offset = this.#index.findByKey(key);
    const record = offset === undefined ? undefined : await this.#read(offset);
    return record?.key === key ? record : undefined;
  }

  /** The newest line of a row. */
  async row(id: number): Promise<RowRecord | undefined> {
    const offset = this.#index.offsetOf(id);
    return offset === undefined ? undefined : this.#read(offset);
  }

  async close(): Promise<void> {
    await (await this.#reader)?.close();
  }

  async #read(offset: number): Promise<RowRecord> {
    this.#reader ??= RecordLookup.open({ logFile: this.#logFile });
    return (await this.#reader).recordAt(offset);
  }
}
