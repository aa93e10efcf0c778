import { type Evaluation, goldOf, type RowPlan } from '../../evaluation/evaluation.ts';
import { scoringOf } from '../../evaluation/key.ts';
import { rowTraits } from '../../score/row-score.ts';
import { without } from '../../score/split-thought.ts';
import { type RowState, rowState } from '../resume.ts';
import { PartPlaces } from './part-places.ts';
import { type IndexedLog, readRowIndex } from './read-row-index.ts';
import { RecordLookup } from './record-lookup.ts';
import { ProblemList } from './record-problem.ts';
import { RowIndex } from './row-index.ts';
import type { RowFiles } from './row-places.ts';
import type { RowRecord } from './row-record.ts';

type ScoringOf = (plan: Pick<RowPlan, 'row' | 'promptHash'>) => string;

/** The answers that the log of an evaluation holds, by row and by request. */
export class RecordedAnswers {
  readonly #logFile: string;
  readonly #log: IndexedLog;
  readonly #scoringOf: ScoringOf;
  #reader: Promise<RecordLookup> | undefined;
  #parts: Promise<PartPlaces> | undefined;

  private constructor(logFile: string, log: IndexedLog, scoringOf: ScoringOf) {
    this.#logFile = logFile;
    this.#log = log;
    this.#scoringOf = scoringOf;
  }

  get #index(): IndexedLog['index'] {
    return this.#log.index;
  }

  /** Of a run that asks everything. */
  static none(): RecordedAnswers {
    const log = {
      index: new RowIndex(),
      end: 0,
      places: undefined,
      problems: new ProblemList(),
      rejects: () => false,
      lacksLogprobs: () => false,
    };
    return new RecordedAnswers('', log, () => '');
  }

  /** A log that is not there yet holds nothing. */
  static async open(
    files: RowFiles,
    evaluation: Pick<Evaluation, 'scorer' | 'scorerIdentity' | 'task' | 'seenOf'>,
  ): Promise<RecordedAnswers> {
    const log = await readRowIndex(files, rowTraits(evaluation.scorer).range);
    return new RecordedAnswers(files.logFile, log, (plan) =>
      scoringOf(evaluation, plan, goldOf(evaluation.task, plan.row)),
    );
  }

  stateOf(plan: Pick<RowPlan, 'id' | 'key' | 'row' | 'promptHash'>): RowState {
    return rowState(this.#log, plan, () => this.#scoringOf(plan));
  }

  /** Whether there is an answer to a request, be it of another row. */
  knows(key: string): boolean {
    return this.#index.findByKey(key) !== undefined;
  }

  /** The answer to a request as later requests see it: with the mark of a thought that the prompt opened, without what it had said. */
  async answerTo(key: string): Promise<string | undefined> {
    const { answer, opened = '', prefix } = (await this.record(key)) ?? {};
    return answer === undefined ? undefined : opened + without(answer, prefix);
  }

  /** The line of a request. */
  async record(key: string): Promise<RowRecord | undefined> {
    const offset = this.#index.findByKey(key);
    const record = offset === undefined ? undefined : await this.#read(offset);
    return record?.key === key ? record : undefined;
  }

  /** The newest line of a part of a row, scored as that row is; else the answer to its request. */
  async part(id: number, key: string): Promise<RowRecord | undefined> {
    this.#parts ??= PartPlaces.read(this.#logFile);
    const offset = (await this.#parts).get(id, key);
    return offset === undefined ? this.record(key) : this.#read(offset);
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
