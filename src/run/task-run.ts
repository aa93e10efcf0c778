import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Inference } from '../infer/inference.ts';
import type { NamedRow, Prompt, Row } from '../prompt/index.ts';
import { AppendLog } from './append-log.ts';
import type { FoundAnswer } from './found-answer.ts';
import { IdSet } from './id-set.ts';
import type { Job } from './job.ts';
import type { JobSource, NotedRow } from './job-source.ts';
import { requestKey, rowHash, scoringHasher } from './key.ts';
import { recordedResult, recordOf, type ScoredReply, sentMessages } from './make-record.ts';
import { readRowIndex } from './read-row-index.ts';
import type { RowCase } from './row-case.ts';
import type { RowIndex } from './row-index.ts';
import type { RowRecord } from './row-log.ts';
import { readReply, scoredFields, scoreReply, scoreReplyLater } from './score-answer.ts';
import { addRecords, Tally } from './summarize.ts';
import { type TaskSettings, zeroCounts } from './task-settings.ts';
import { writeWhole } from './write-whole.ts';

export interface SampledRow {
  readonly prompt: Prompt;
  readonly record: RowRecord;
}

/** A row that has more to ask, now or once its answer is scored; nothing if it is through. */
export type FollowUp = RowCase | undefined;

/** How many rows a report shows. */
const sampleSize = 100;

/** A task under way: its log, what is answered, and what is counted. */
export class TaskRun {
  readonly settings: TaskSettings;
  readonly counts = zeroCounts();
  readonly #index: RowIndex;
  readonly #log: AppendLog<RowRecord>;
  /** Where the log ended before this run. */
  readonly #end: number;
  /** Of the records of this run. */
  readonly #tally: Tally;
  readonly #noted = new IdSet();
  readonly #samples = new Map<number, Prompt>();
  readonly #promptHash = createHash('sha256');
  readonly #scoringOf: (gold: unknown) => string;
  #refusal: Error | undefined;

  private constructor(
    settings: TaskSettings,
    { log, index, end }: { log: AppendLog<RowRecord>; index: RowIndex; end: number },
  ) {
    this.settings = settings;
    this.#tally = new Tally(settings.scorer);
    this.#scoringOf = scoringHasher(settings.scorerIdentity);
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

  get inference(): Inference {
    return this.settings.inference;
  }

  get prepare(): JobSource['prepare'] {
    return this.settings.prepare;
  }

  maxOutLenOf(row: Row): number | undefined {
    return this.settings.maxOutLenOf(row);
  }

  #goldOf(row: Row): unknown {
    const { outputColumn } = this.settings;
    return outputColumn === undefined ? undefined : row[outputColumn];
  }

  /** Counts a row of the task, in the order of the data. */
  note({ id, prompt, shown, leak }: NotedRow): void {
    this.counts.rows++;
    if (leak) this.counts.leaks++;
    this.#noted.add(id);
    if (this.#samples.size < sampleSize) this.#samples.set(id, shown);
    this.#promptHash.update(prompt);
  }

  /** How many rows there are, also where a run stopped before it had seen them all. */
  async countAll(): Promise<number> {
    const { rows } = this.counts;
    // Data that cannot be read to the end has as many rows as could be read.
    const all = await this.settings.countRows?.().catch(() => rows);
    return Math.max(rows, all ?? 0);
  }

  /** Adds up the records that count for the rows of this run; to be asked for after `close`. */
  async tally(): Promise<Tally> {
    const isCurrent = (id: number, offset: number) =>
      this.#noted.has(id) && this.#index.offsetOf(id) === offset;
    await addRecords(this.#tally, { logFile: this.settings.logFile, end: this.#end, isCurrent });
    return this.#tally;
  }

  /** Whether a row is answered already. If it is not, what it was asked before no longer counts. */
  isDone({ id, key, row }: NotedRow): boolean {
    if (
      !this.#index.has(id, key) ||
      !this.#index.hasScoring(id, this.#scoringOf(this.#goldOf(row)))
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
    if (record?.key !== job.key) return undefined;
    const result = recordedResult(record);
    const isOwn = job.task === this && record.id === job.id;
    const from = isOwn ? record.from : 'row';
    return result && { ...(from && { from }), result };
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

  /** Records an answer. A scorer that waits makes this wait as well. */
  answer(job: Job, found: FoundAnswer, signal: AbortSignal): FollowUp | Promise<FollowUp> {
    this.#count(found);
    const reply = readReply(job.asked, found.result);
    const gold = job.part ? job.part.whole.partAt(job.part.place).gold : this.#goldOf(job.row);
    const judged = { reply, gold, row: job.row };
    const { scorer } = this.settings;
    if (!scorer.scoreLater)
      return this.#record(job, found, { reply, gold, score: scoreReply(scorer, judged) });
    // Kept at once: what was answered is not asked again if the run ends before it is scored.
    const unscored = { type: 'unscored', reason: 'not scored yet' } as const;
    if (!found.from)
      this.#writePart(
        job,
        'answer',
        recordOf(job, found, { ...judged, score: unscored, scoring: this.#scoringOf(gold) }),
      );
    return scoreReplyLater(scorer.scoreLater, judged, signal).then((score) =>
      this.#record(job, found, { ...judged, score }),
    );
  }

  #record(job: Job, found: FoundAnswer, scored: ScoredReply): FollowUp {
    const { reply, gold, score } = scored;
    const line = recordOf(job, found, { reply, gold, score, scoring: this.#scoringOf(gold) });
    if (!job.part) {
      this.#write(job, line);
      return undefined;
    }
    const { whole, place } = job.part;
    const part = whole.partAt(place);
    this.#writePart(job, part.name, { ...line, sent: sentMessages(job) });
    const { text } = scored.reply;
    const sent = found.from ? { key: job.key } : line;
    switch (whole.take(place, { ...part, text, score: scored.score }, sent)) {
      case 'more':
        return whole;
      case 'done':
        this.#writeWhole(whole);
    }
    return undefined;
  }

  #writeWhole(whole: RowCase): void {
    const { score, text } = whole.combine();
    const gold = this.#goldOf(whole.row);
    this.#write(whole, {
      id: whole.id,
      key: whole.key,
      prompt: whole.prompt,
      ...scoredFields(score, gold),
      answer: text,
      parts: whole.keys,
      tokens: whole.tokens,
      ms: whole.ms,
      row: rowHash(whole.row),
      scoring: this.#scoringOf(gold),
    });
  }

  #count({ result: { usage }, from }: FoundAnswer): void {
    if (from === 'row') this.counts.shared++;
    else if (from === 'cache') this.counts.cached++;
    else if (usage) {
      this.counts.inputTokens += usage.inputTokens;
      this.counts.outputTokens += usage.outputTokens;
    }
  }

  fail(job: Job, reason: string): void {
    const { id, key, prompt, attempts } = job;
    const failure = { id, outcome: 'failed', reason, attempts } as const;
    if (!job.part) {
      this.#write(job, { ...failure, key, prompt });
      return;
    }
    const { whole, place } = job.part;
    const { name } = whole.partAt(place);
    this.#log.append({ ...failure, key, prompt, part: name });
    if (whole.fail()) {
      this.#write(whole, { ...failure, key: whole.key, prompt: whole.prompt, parts: whole.keys });
    }
  }

  /** What was wrong with the first row that nothing could be asked about. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  refuse({ id, row }: NamedRow, error: Error): void {
    this.#refusal ??= error;
    const key = requestKey(rowHash(row), this.modelIdentity);
    const noted = {
      id: Number(id),
      row,
      key,
      prompt: '',
      shown: { type: 'text', text: '' },
    } as const;
    this.note(noted);
    this.#write(noted, {
      id: noted.id,
      key,
      prompt: '',
      outcome: 'failed',
      reason: error.message,
      row: rowHash(row),
    });
  }

  #write({ id, key }: Pick<NotedRow, 'id' | 'key'>, record: RowRecord): void {
    const offset = this.#log.append(record);
    this.#tally.add(record);
    this.counts[record.outcome]++;
    if (record.outcome === 'failed') this.#index.setFailed(id, offset);
    else this.#index.set(id, key, offset, record.scoring);
  }

  #writePart({ key }: Job, part: string | number, record: RowRecord): void {
    this.#index.setPart(key, this.#log.append({ ...record, part }));
  }

  /** Writes out everything, and the index that opens single rows. */
  async close(): Promise<{ readonly promptHash: string }> {
    await this.#log.close();
    const places = this.#index.toParts((id) => this.#noted.has(id));
    await writeWhole(this.settings.indexFile, places);
    return { promptHash: this.#promptHash.digest('hex').slice(0, 16) };
  }
}
