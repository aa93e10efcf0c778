import { createHash } from 'node:crypto';
import { shownPrompt } from '../evaluation/asked.ts';
import {
  type Evaluation,
  goldOf,
  type PlannedRequest,
  type RowPlan,
} from '../evaluation/evaluation.ts';
import { scoringOf } from '../evaluation/key.ts';
import type { FailureKind } from '../model/failure-kind.ts';
import { answerLimit, type Model } from '../model/model.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import type { Row } from '../prompt/values.ts';
import { rowTraits } from '../score/row-score.ts';
import { clusterOf } from './cluster-of.ts';
import { priceOf } from './cost.ts';
import { EvaluationLog } from './evaluation-log.ts';
import { failedPart, failedRecord, failedWhole, refusedRecord } from './failed-record.ts';
import type { Job, JobSource } from './job.ts';
import {
  type FoundAnswer,
  factsOf,
  recordedResult,
  recordOf,
  type ScoredReply,
  sentMessages,
  shownExamples,
  wholeRecord,
} from './make-record.ts';
import { rowScoreKind } from './metric-tally.ts';
import { PossibleClusters } from './possible-clusters.ts';
import { askedAgain, type RetryKinds } from './resume.ts';
import type { RowCase } from './row-case.ts';
import { type EvaluationSample, RowSample, type RowSource } from './row-sample.ts';
import { sampledRows } from './sample-prompts.ts';
import { isScorerFailure, type Judged, readReply, scoreReply, spokenText } from './score-answer.ts';
import type { ScoringSignals } from './score-later.ts';
import { askedName, ServedNames, servedName } from './served-models.ts';
import type { ProblemList } from './store/record-problem.ts';
import { notScoredYet, type RowRecord } from './store/row-record.ts';
import {
  countAnswer,
  type EvaluationCounts,
  type StoredEvaluation,
  zeroCounts,
} from './stored-evaluation.ts';
import { Tally, takeRecords } from './summarize.ts';
import type { PossibleClusterCount, RequestCounts } from './summary.ts';
import { openClusters } from './tallies.ts';

/** A row that has more to ask, now or once its answer is scored; nothing if it is through. */
export type FollowUp = RowCase | undefined;

/** A request of an evaluation that is run. */
export type RunJob = Job<EvaluationRun>;

export interface RunSettings {
  /** How many rows of each verdict are kept for the report. */
  readonly sampleSize: number;
  /** Which failed rows are asked again. */
  readonly retry?: RetryKinds | undefined;
}

/** In characters. */
const hashedAtOnce = 1 << 14;

/** An evaluation under way: its log, what is answered, and what is counted. */
export class EvaluationRun implements JobSource {
  readonly stored: StoredEvaluation;
  readonly counts: EvaluationCounts = zeroCounts();
  /** What the server called the model, of the answers of this start. */
  readonly served = new ServedNames();
  /** The name that is not worth a note. */
  #plainName: string | undefined;
  readonly #isAskedAgain: (kind: FailureKind) => boolean;
  readonly #left = new Map<FailureKind, number>();
  readonly #activity = { first: 0, last: 0 };
  #isUnlimited: boolean | undefined;
  /** Answers of rows that were through before. */
  #resumedAnswers = 0;
  readonly #log: EvaluationLog;
  /** Of the records of this run. */
  readonly #tally: Tally;
  readonly #sample: RowSample;
  readonly #promptHash = createHash('sha256');
  /** Not in the hash yet: many at once take less time. */
  #promptHashes = '';
  /** Left out where clusters are named, or where no config could name them. */
  readonly #possibleClusters: PossibleClusters | undefined;
  #refusal: Error | undefined;

  private constructor(
    stored: StoredEvaluation,
    { log, tally, sampleSize, retry }: RunSettings & { log: EvaluationLog; tally: Tally },
  ) {
    this.stored = stored;
    this.#plainName = askedName(stored.evaluation.model.identity);
    this.#isAskedAgain = askedAgain(retry);
    this.#sample = new RowSample(rowScoreKind(stored.evaluation.scorer), sampleSize);
    this.#tally = tally;
    this.#log = log;
    const { clusterBy, outputColumn, dataset } = stored.evaluation.task;
    const canName = dataset !== undefined && clusterBy === undefined;
    this.#possibleClusters = canName ? new PossibleClusters(outputColumn) : undefined;
  }

  /** Opens the log, takes over what it holds and cuts off a line that a crash tore. */
  static async open(stored: StoredEvaluation, settings: RunSettings): Promise<EvaluationRun> {
    const { scorer, task } = stored.evaluation;
    const tally = new Tally(scorer, await openClusters(task.clusterBy));
    const log = await EvaluationLog.open(stored, rowTraits(scorer).range);
    return new EvaluationRun(stored, { log, tally, ...settings });
  }

  /** Damaged lines that the log had; all of them are known once the run is through. */
  get problems(): ProblemList {
    return this.#log.problems;
  }

  get evaluation(): Evaluation {
    return this.stored.evaluation;
  }

  #goldOf(row: Row): unknown {
    return goldOf(this.evaluation.task, row);
  }

  #clusterOf(row: Row): string | undefined {
    return clusterOf(row, this.evaluation.task.clusterBy);
  }

  /** Counts a row, in the order of the data. */
  note({ id, row, promptHash, requests }: RowPlan): void {
    this.counts.rows++;
    this.#possibleClusters?.see(row, promptHash);
    this.#tally.see(row);
    if (requests.some(({ leak }) => leak)) this.counts.leaks++;
    this.#log.note(Number(id));
    this.#promptHashes += promptHash;
    if (this.#promptHashes.length >= hashedAtOnce) this.#hashPrompts();
    const [first] = requests;
    if (first) this.#isUnlimited ??= isUnlimited(this.evaluation.model, first.request);
  }

  #hashPrompts(): void {
    this.#promptHash.update(this.#promptHashes);
    this.#promptHashes = '';
  }

  /** What rows seem to come in groups by, which nobody named. */
  get possibleClusters(): PossibleClusterCount | undefined {
    return this.#possibleClusters?.found;
  }

  /** How many rows there are, also where a run stopped before it had seen them all. */
  async countAll(): Promise<number> {
    const { rows } = this.counts;
    // Data that cannot be read to the end has as many rows as could be read.
    const all = await this.evaluation.rows.count().catch(() => rows);
    this.#log.total = Math.max(rows, all);
    return Math.max(rows, all);
  }

  /** Adds up the records that count for the rows of this run; to be asked for once, at its end. */
  async tally(): Promise<Tally> {
    const { answers } = this.#tally;
    await takeRecords(this.#log.earlier, (record) => {
      this.#tally.add(record);
      this.#sample.offer(record);
    });
    this.#resumedAnswers = this.#tally.answers - answers;
    return this.#tally;
  }

  /** Where the answers came from; to be asked for after `tally`. */
  get requests(): RequestCounts {
    const { sent, cached, shared, asked, kept, outdated } = this.counts;
    return {
      sent,
      cached,
      shared,
      asked,
      resumed: this.#resumedAnswers + kept,
      ...(outdated > 0 && { outdated }),
      // A function without a version may answer otherwise at every start.
      ...(outdated > 0 && this.evaluation.isUnversioned && { unversioned: true }),
    };
  }

  /** Whether a row is answered already. If it is not, what it was asked before no longer counts. */
  isDone(plan: RowPlan): boolean {
    const id = Number(plan.id);
    const { state, failure } = this.#log.stateOf(plan, () =>
      scoringOf(this.evaluation, plan, this.#goldOf(plan.row)),
    );
    if (state === 'done') {
      this.counts.resumed++;
      this.#log.keep(id);
      return true;
    }
    if (failure && !this.#isAskedAgain(failure)) {
      this.counts.left++;
      this.#left.set(failure, (this.#left.get(failure) ?? 0) + 1);
      this.#log.keep(id);
      return true;
    }
    if (this.#log.lacksLogprobs(id)) this.counts.oldLoglikelihoods++;
    else if (state === 'new' && this.#log.isAnswered(id) && !this.#log.holds(plan.key))
      this.counts.outdated++;
    this.#log.forget(id);
    return false;
  }

  /** Whether the log seems to hold an answer to this request, or it chose the examples of a row. */
  knows(key: string): boolean {
    return this.#log.holds(key) || this.evaluation.trials?.knows(key) === true;
  }

  /** The answer to the same request that the log holds. */
  async findAnswer(job: RunJob): Promise<FoundAnswer | undefined> {
    const { record, isKept } = (await this.#log.find(job.key)) ?? {};
    if (record?.key !== job.key) return this.#findTrial(job);
    const result = recordedResult(record);
    const isOwn = job.run === this && record.id === job.planned.id;
    const from = isOwn ? record.from : 'row';
    return result && { ...(from && { from }), ...(isKept && { isKept }), result };
  }

  /** The answer to the same request by which the examples of the row were chosen: it is the row's own. */
  async #findTrial({ key, run }: RunJob): Promise<FoundAnswer | undefined> {
    const found = run === this ? await this.evaluation.trials?.recall(key) : undefined;
    if (found && !found.isKept) this.noteSent();
    return found;
  }

  /** Some rows with what they were asked, for reports; to be asked for after `tally` and before `close`. */
  async sample(): Promise<Pick<EvaluationSample, 'rows' | 'totals' | 'ends'>> {
    const readPart = async (_id: number, key: string) => (await this.#log.find(key))?.record;
    const { rows, totals, ends } = this.#sample;
    const { evaluation } = this;
    return { rows: await sampledRows(rows, { evaluation, readPart }), totals, ends };
  }

  /** Records an answer. A scorer that waits makes this wait as well. */
  answer(job: RunJob, found: FoundAnswer, signals: ScoringSignals): FollowUp | Promise<FollowUp> {
    countAnswer(this.counts, found);
    this.#activity.last = performance.now();
    const { asked, gold, row, dialogue } = job.planned;
    const { scorer, modelConfig } = this.evaluation;
    const thinking = modelConfig?.thinking;
    const reply = readReply(asked, found.result, thinking);
    const facts = scorer.readsFacts
      ? factsOf(found.result, { asked, price: priceOf(modelConfig) })
      : undefined;
    const judged = { reply, gold, row, dialogue, thinking, facts };
    if (reply.redacted) return this.#answerRedacted(job, found, { judged, signals });
    const scored = signals.hurries?.() ? undefined : scoreReply(scorer, judged);
    if (scored) return this.#record(job, found, { reply, gold, score: scored });
    // Kept at once: what was answered is not asked again if the run ends before it is scored.
    const unscored = { type: 'unscored', reason: notScoredYet } as const;
    if (found.from !== 'row')
      this.#log.writePart(
        job.key,
        'answer',
        recordOf(job, found, {
          ...judged,
          score: unscored,
          scoring: scoringOf(this.evaluation, job.planned, gold),
          shown: shownExamples(job.planned, this.evaluation),
        }),
      );
    return import('./score-later.ts')
      .then(({ scoreReplyLater }) => scoreReplyLater(scorer, judged, signals))
      .then((score) => this.#record(job, found, { ...judged, score }));
  }

  /** What is scored is what the model said; what is kept has no secrets in it. */
  async #answerRedacted(
    job: RunJob,
    found: FoundAnswer,
    { judged, signals }: { readonly judged: Judged; readonly signals: ScoringSignals },
  ): Promise<FollowUp> {
    const { scoreRedacted } = await import('./score-redacted.ts');
    const { asked } = job.planned;
    const score = await scoreRedacted({ ...this.evaluation, asked }, { judged, found, signals });
    return this.#record(job, found, { ...judged, score });
  }

  #record(job: RunJob, found: FoundAnswer, scored: ScoredReply): FollowUp | Promise<FollowUp> {
    const { reply, gold, score } = scored;
    const scoring = isScorerFailure(score)
      ? undefined
      : scoringOf(this.evaluation, job.planned, gold);
    const shown = shownExamples(job.planned, this.evaluation);
    const cluster = job.part ? undefined : this.#clusterOf(job.planned.row);
    const served = this.#noteServed(found);
    const line = recordOf(job, found, { reply, gold, score, scoring, shown, cluster, served });
    if (!job.part) {
      this.#write(line, () => ({ prompt: shownPrompt(job.planned.asked) }));
      return undefined;
    }
    const { whole, index } = job.part;
    this.#log.writePart(job.key, whole.nameAt(index), { ...line, sent: sentMessages(job) });
    const { opened, redacted, finish } = reply;
    const text = spokenText(reply);
    const spent = found.from ? {} : { tokens: line.tokens, ms: line.ms, isAsked: true };
    const { ties } = reply;
    const next = whole.take(index, {
      text,
      opened,
      redacted,
      score,
      key: job.key,
      ties,
      finish,
      ...spent,
    });
    if (next instanceof Promise) return next.then((step) => this.#goOn(whole, step));
    return this.#goOn(whole, next);
  }

  /** Counts the name that the server gave; gives it if it is worth a note. */
  #noteServed({ result, isKept }: FoundAnswer): string | undefined {
    const name = servedName(result);
    if (name === undefined) return undefined;
    if (!isKept) this.served.add(name);
    this.#plainName ??= name;
    return name === this.#plainName ? undefined : name;
  }

  #goOn(whole: RowCase, step: 'wait' | 'more' | 'done'): FollowUp {
    if (step === 'more') return whole;
    if (step === 'done') this.#writeWhole(whole);
    return undefined;
  }

  #writeWhole(whole: RowCase): void {
    this.#write(wholeRecord(whole, this.evaluation), () => whole);
  }

  fail(job: RunJob, error: unknown): void {
    const { evaluation } = this;
    this.#activity.last = performance.now();
    if (!job.part) {
      const prompt = () => ({ prompt: shownPrompt(job.planned.asked) });
      this.#write(failedRecord(job, error, evaluation), prompt);
      return;
    }
    const { whole, index } = job.part;
    const part = whole.nameAt(index);
    this.#log.writeFailedPart(failedPart(job, error, { part, evaluation }));
    if (whole.fail()) this.#write(failedWhole(job, error, { whole, evaluation }), () => whole);
  }

  /** What was wrong with the first row that nothing could be asked about. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  refuse(row: PositionedRow, error: Error): void {
    this.#refusal ??= error;
    const record = refusedRecord(row, error, this.evaluation);
    this.note({ ...row, key: record.key, promptHash: '', requests: [] });
    this.#write(record, () => ({ prompt: { type: 'text', text: '' } }));
  }

  #write(record: RowRecord, sourceOf: () => RowSource): void {
    this.#log.write(record);
    this.#tally.add(record);
    this.#sample.offer(record, sourceOf);
    this.counts[record.outcome]++;
    this.counts.scoreSum += record.score ?? 0;
  }

  /** Takes note of a request that goes out. */
  noteSent(): void {
    this.#log.flush();
    this.counts.sent++;
    if (this.#activity.first === 0) this.#activity.first = performance.now();
  }

  /** From the first request to the last answer. */
  get seconds(): number {
    const { first, last } = this.#activity;
    return first === 0 ? 0 : Math.max(0, last - first) / 1000;
  }

  /** Whether answers may be as long as the server likes. */
  get isUnlimited(): boolean {
    return this.#isUnlimited ?? false;
  }

  /** How many failed rows of a kind are not asked again. */
  leftOf(kind: FailureKind): number {
    return this.#left.get(kind) ?? 0;
  }

  /** Closes the log of a run that comes to nothing. */
  letGo(): Promise<void> {
    return this.#log.letGo();
  }

  /** Writes out everything, and the index that opens single rows. */
  async close(): Promise<{ readonly promptHash: string }> {
    await this.#log.close();
    this.#hashPrompts();
    return { promptHash: this.#promptHash.digest('hex').slice(0, 16) };
  }
}

/** Whether a request leaves it to the server how long its answer may be. */
function isUnlimited({ identity }: Model, request: PlannedRequest['request']): boolean {
  return 'prompt' in request && answerLimit(identity, request) === undefined;
}
