import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { GenerateResult } from '../model/model.ts';
import type { NamedRow, Prompt, Row } from '../prompt/index.ts';
import type { Query } from '../retrieve/index.ts';
import type { Scorer } from '../score/index.ts';
import { AppendLog, readLog } from './append-log.ts';
import { IdSet } from './id-set.ts';
import type { Job } from './job.ts';
import { RowIndex } from './row-index.ts';
import type { RowRecord } from './row-log.ts';
import { scoreAnswer } from './score-answer.ts';

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
  readonly logFile: string;
  readonly indexFile: string;
}

export interface SampledRow {
  readonly prompt: Prompt;
  readonly record: RowRecord;
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
  readonly #noted = new IdSet();
  /** Rows whose newest record answers another request than the one of this run. */
  readonly #outdated = new IdSet();
  readonly #samples = new Map<number, Prompt>();
  readonly #promptHash = createHash('sha256');

  private constructor(settings: TaskSettings, log: AppendLog<RowRecord>, index: RowIndex) {
    this.settings = settings;
    this.#log = log;
    this.#index = index;
  }

  /** Opens the log, takes over what it holds and cuts off a line that a crash tore. */
  static async open(settings: TaskSettings): Promise<TaskRun> {
    const index = new RowIndex();
    const records = readLog<RowRecord>(settings.logFile);
    let next = await records.next();
    for (; !next.done; next = await records.next()) {
      for (const { record, offset } of next.value) {
        if (record.outcome === 'failed') index.setFailed(Number(record.id), offset);
        else index.set(Number(record.id), record.key, offset);
      }
    }
    return new TaskRun(
      settings,
      await AppendLog.open<RowRecord>(settings.logFile, next.value),
      index,
    );
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

  /** Counts a row of the task, in the order of the data. */
  note(job: Job<unknown>): void {
    this.counts.rows++;
    this.#noted.add(job.id);
    if (this.#samples.size < sampleSize) this.#samples.set(job.id, job.request.prompt);
    this.#promptHash.update(job.prompt);
  }

  /** Whether this is the record that counts for a row of this run. */
  isCurrent(id: number, offset: number): boolean {
    return this.#noted.has(id) && !this.#outdated.has(id) && this.#index.offsetOf(id) === offset;
  }

  isDone(job: Job<unknown>): boolean {
    if (this.#index.has(job.id, job.key)) {
      this.counts.resumed++;
      return true;
    }
    this.#outdated.add(job.id);
    return false;
  }

  /** A row of this task that was answered to the same request. */
  twinOf(job: Job): number | undefined {
    return this.#index.findByKey(job.key);
  }

  async recordOf(id: number): Promise<RowRecord | undefined> {
    const offset = this.#index.offsetOf(id);
    return offset === undefined ? undefined : this.#log.read(offset);
  }

  /** The first rows of the task with their prompts, for reports; to be asked for before `close`. */
  async sample(): Promise<SampledRow[]> {
    const rows: SampledRow[] = [];
    for (const [id, prompt] of this.#samples) {
      const record = this.#outdated.has(id) ? undefined : await this.recordOf(id);
      if (record) rows.push({ prompt, record });
    }
    return rows;
  }

  answer(job: Job, result: GenerateResult, from?: 'row' | 'cache'): void {
    const { scorer, outputColumn } = this.settings;
    const { text, reasoning, finishReason, usage, totalMs } = result;
    const gold = outputColumn === undefined ? undefined : job.row[outputColumn];
    const scored = scoreAnswer(scorer, { text, reasoning, gold, row: job.row });
    this.#write(job, {
      ...scored,
      answer: text,
      ...(reasoning !== undefined && { reasoning }),
      ...(finishReason !== 'stop' && { finish: finishReason }),
      ...(usage && { tokens: [usage.inputTokens, usage.outputTokens] }),
      ms: Math.round(totalMs),
      ...(from && { from }),
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
    this.#write(job, { outcome: 'failed', reason });
    this.counts.failed++;
  }

  #write(job: Job, record: Omit<RowRecord, 'id' | 'key' | 'prompt'>): void {
    const { id, key, prompt, attempts, dropped } = job;
    const offset = this.#log.append({
      id,
      key,
      prompt,
      ...record,
      ...(attempts > 1 && { attempts }),
      ...(dropped > 0 && { dropped }),
    });
    this.#outdated.delete(id);
    if (record.outcome === 'failed') this.#index.setFailed(id, offset);
    else this.#index.set(id, key, offset);
  }

  /** Writes out everything, and the index that opens single rows. */
  async close(): Promise<{ readonly promptHash: string }> {
    await this.#log.close();
    await writeFile(this.settings.indexFile, this.#index.toBytes());
    return { promptHash: this.#promptHash.digest('hex').slice(0, 16) };
  }
}
