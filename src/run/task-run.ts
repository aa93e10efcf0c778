import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { GenerateResult } from '../model/model.ts';
import type { NamedRow, Prompt, Row } from '../prompt/index.ts';
import type { Query } from '../retrieve/index.ts';
import type { Scorer } from '../score/index.ts';
import { AppendLog } from './append-log.ts';
import { IdSet } from './id-set.ts';
import type { Job } from './job.ts';
import { scoringHash } from './key.ts';
import { readRowIndex } from './read-row-index.ts';
import type { RowIndex } from './row-index.ts';
import type { RowRecord } from './row-log.ts';
import { scoreAnswer } from './score-answer.ts';
import { addRecords, Tally } from './summarize.ts';
import { writeWhole } from './write-whole.ts';

/** One model on one data set, as the runner takes it. */
export interface TaskSettings {
  readonly model: string;
  /** What tells the model's answers from another's, as text. */
  readonly modelIdentity: string;
  readonly dataset: string;
  readonly rows: AsyncIterable<readonly NamedRow[]>;
  readonly promptOf: (query: Query) => { readonly prompt: Prompt; readonly dropped: number };
  readonly outputColumn?: string | undefined;
  readonly maxOutLenOf: (row: Row) => number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly scorer: Scorer;
  /** What tells the scorer from another, as text. */
  readonly scorerIdentity: string;
  readonly logFile: string;
  readonly indexFile: string;
}

export interface SampledRow {
  readonly prompt: Prompt;
  readonly record: RowRecord;
}

/** An answer, and where it comes from if it was not asked for. */
export interface FoundAnswer {
  readonly result: GenerateResult;
  readonly from?: RowRecord['from'];
}

/** How many rows a report shows. */
const sampleSize = 100;

/** What became of a task so far. */
export interface TaskCounts {
  rows: number;
  resumed: number;
  scored: number;
  unscored: number;
  failed: number;
  sent: number;
  shared: number;
  cached: number;
  inputTokens: number;
  outputTokens: number;
}

/** A task under way: its log, what is answered, and what is counted. */
export class TaskRun {
  readonly settings: TaskSettings;
  readonly counts: TaskCounts = {
    rows: 0,
    resumed: 0,
    scored: 0,
    unscored: 0,
    failed: 0,
    sent: 0,
    shared: 0,
    cached: 0,
    inputTokens: 0,
    outputTokens: 0,
  };
  readonly #index: RowIndex;
  readonly #log: AppendLog<RowRecord>;
  /** Where the log ended before this run. */
  readonly #end: number;
  /** Of the records of this run. */
  readonly #tally = new Tally();
  readonly #noted = new IdSet();
  readonly #samples = new Map<number, Prompt>();
  readonly #promptHash = createHash('sha256');

  private constructor(
    settings: TaskSettings,
    { log, index, end }: { log: AppendLog<RowRecord>; index: RowIndex; end: number },
  ) {
    this.settings = settings;
    this.#log = log;
    this.#index = index;
    this.#end = end;
  }

  /** Opens the log, takes over what it holds and cuts off a line that a crash tore. */
  static async open(settings: TaskSettings): Promise<TaskRun> {
    const { index, end } = await readRowIndex(settings.logFile);
    const log = await AppendLog.open<RowRecord>(settings.logFile, end);
    // It describes what the log is about to stop being.
    await rm(settings.indexFile, { force: true });
    return new TaskRun(settings, { log, index, end });
  }

  get rows(): TaskSettings['rows'] {
    return this.settings.rows;
  }

  get modelIdentity(): string {
    return this.settings.modelIdentity;
  }

  get stop(): readonly string[] | undefined {
    return this.settings.stop;
  }

  promptOf(query: Query): { readonly prompt: Prompt; readonly dropped: number } {
    return this.settings.promptOf(query);
  }

  maxOutLenOf(row: Row): number | undefined {
    return this.settings.maxOutLenOf(row);
  }

  #goldOf(row: Row): unknown {
    const { outputColumn } = this.settings;
    return outputColumn === undefined ? undefined : row[outputColumn];
  }

  /** Counts a row of the task, in the order of the data. */
  note(job: Job<unknown>): void {
    this.counts.rows++;
    this.#noted.add(job.id);
    if (this.#samples.size < sampleSize) this.#samples.set(job.id, job.request.prompt);
    this.#promptHash.update(job.prompt);
  }

  /** Adds up the records that count for the rows of this run; to be asked for after `close`. */
  async tally(): Promise<Tally> {
    const isCurrent = (id: number, offset: number) =>
      this.#noted.has(id) && this.#index.offsetOf(id) === offset;
    await addRecords(this.#tally, { logFile: this.settings.logFile, end: this.#end, isCurrent });
    return this.#tally;
  }

  /** Whether a row is answered already. If it is not, what it was asked before no longer counts. */
  isDone({ id, key, row }: Job<unknown>): boolean {
    if (
      !this.#index.has(id, key) ||
      !this.#index.hasScoring(id, scoringHash(this.settings.scorerIdentity, this.#goldOf(row)))
    ) {
      this.#index.forget(id);
      return false;
    }
    this.counts.resumed++;
    return true;
  }

  /** Whether the log seems to hold an answer to this request. */
  knows(key: string): boolean {
    return this.#index.findByKey(key) !== undefined;
  }

  /** The answer to the same request that the log holds. */
  async findAnswer(job: Job): Promise<FoundAnswer | undefined> {
    const offset = this.#index.findByKey(job.key);
    const record = offset === undefined ? undefined : await this.#log.read(offset);
    if (record?.key !== job.key || record.answer === undefined) return undefined;
    const { answer, reasoning, finish = 'stop', tokens, ms = 0 } = record;
    const isOwn = job.task === this && record.id === job.id;
    const from = isOwn ? record.from : 'row';
    return {
      ...(from && { from }),
      result: {
        text: answer,
        reasoning,
        finishReason: finish as GenerateResult['finishReason'],
        ...(tokens && { usage: { inputTokens: tokens[0], outputTokens: tokens[1] } }),
        totalMs: ms,
      },
    };
  }

  /** The first rows of the task with their prompts, for reports; to be asked for before `close`. */
  async sample(): Promise<SampledRow[]> {
    const rows: SampledRow[] = [];
    for (const [id, prompt] of this.#samples) {
      const offset = this.#index.offsetOf(id);
      if (offset !== undefined) rows.push({ prompt, record: await this.#log.read(offset) });
    }
    return rows;
  }

  answer(job: Job, { result, from }: FoundAnswer): void {
    const { text, reasoning, finishReason, usage, totalMs } = result;
    const gold = this.#goldOf(job.row);
    const scored = scoreAnswer(this.settings.scorer, { text, reasoning, gold, row: job.row });
    // Written out: records are made for every row, and copying by spread would be felt.
    this.#write(job, {
      id: job.id,
      key: job.key,
      prompt: job.prompt,
      outcome: scored.outcome,
      score: scored.score,
      reason: scored.reason,
      extracted: scored.extracted,
      answer: text,
      reasoning,
      finish: finishReason === 'stop' ? undefined : finishReason,
      gold: scored.gold,
      scoring: scoringHash(this.settings.scorerIdentity, gold),
      tokens: usage && [usage.inputTokens, usage.outputTokens],
      ms: Math.round(totalMs),
      attempts: job.attempts > 1 ? job.attempts : undefined,
      from,
      dropped: job.dropped > 0 ? job.dropped : undefined,
    });
    this.counts[scored.outcome]++;
    if (from === 'row') this.counts.shared++;
    else if (from === 'cache') this.counts.cached++;
    else if (usage) {
      this.counts.inputTokens += usage.inputTokens;
      this.counts.outputTokens += usage.outputTokens;
    }
  }

  fail(job: Job, reason: string): void {
    const { id, key, prompt, attempts } = job;
    this.#write(job, { id, key, prompt, outcome: 'failed', reason, attempts });
    this.counts.failed++;
  }

  #write({ id, key }: Job, record: RowRecord): void {
    const offset = this.#log.append(record);
    this.#tally.add(record);
    if (record.outcome === 'failed') this.#index.setFailed(id, offset);
    else this.#index.set(id, key, offset, record.scoring);
  }

  /** Writes out everything, and the index that opens single rows. */
  async close(): Promise<{ readonly promptHash: string }> {
    await this.#log.close();
    const places = this.#index.toParts((id) => this.#noted.has(id));
    await writeWhole(this.settings.indexFile, places);
    return { promptHash: this.#promptHash.digest('hex').slice(0, 16) };
  }
}
