import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { JudgeError, ModelError, NotSentError, ofModel } from '../errors.ts';
import { harness } from '../evaluation/key.ts';
import { Indexed } from '../model/abort-watch.ts';
import type { GenerateOptions, GenerateRequest, Model } from '../model/model.ts';
import { retryDelayMs } from '../model/retry-delay.ts';
import type { EvaluationRun, FollowUp, RunJob } from './evaluation-run.ts';
import { isHopeless, type Progress } from './hopeless.ts';
import { partJobs, sendJob } from './job.ts';
import { JobSupply, jobsOfAll, nextTurn } from './job-supply.ts';
import type { FoundAnswer } from './make-record.ts';
import { endFailed, Pacer, type PacerOptions } from './pacer.ts';
import type { CachedRequest, ResponseCache } from './response-cache.ts';
import type { ScoringSignals } from './score-later.ts';
import { RetryQueue, SharedRequests } from './waiting-jobs.ts';

export interface RunModelOptions extends PacerOptions {
  readonly maxAttempts: number;
  readonly cache?: ResponseCache | undefined;
  /** Adds answers to the cache, and takes none from it. */
  readonly ignoresCached?: boolean | undefined;
  /** How many rows may fail before any is answered without ending the run. */
  readonly mayFail?: (() => number) | undefined;
  /** Aborting ends the requests in flight; `stopStarting` lets them finish. */
  readonly signal: AbortSignal;
}

/** What the cache keeps of a request beside its key. */
function cachedRequest({ planned: { promptHash, request }, run }: RunJob): CachedRequest {
  const { maxOutLen, stop, seed }: Partial<GenerateRequest> = 'prompt' in request ? request : {};
  return { prompt: promptHash, model: run.evaluation.modelIdentity, maxOutLen, stop, seed };
}

/** A request in flight. */
export interface SlowRequest {
  readonly dataset: string;
  /** Of the row that it is about. */
  readonly id: number;
  readonly waitedMs: number;
}

interface SentJob {
  readonly job: RunJob;
  readonly sentAt: number;
}

/** How many jobs may wait: for the next attempt, for another's answer, for the disk, to be recorded or scored. */
const maxWaiting = 1024;
const longestTimerMs = 60_000;
/** How long answers are recorded before anything else may happen. */
const longestTurnMs = 100;
/** How long answers are scored on this thread once the run is to stop. */
const longestAfterStopMs = 500;

/**
 * Answers all rows of the evaluations of one model. Requests start as soon as there is room: there
 * are no batches, and no pause between evaluations.
 */
export class ModelRun {
  readonly model: Model;
  readonly pacer: Pacer;
  readonly evaluations: readonly EvaluationRun[];
  readonly #options: RunModelOptions;
  readonly #supply: JobSupply;
  readonly #retries = new RetryQueue();
  readonly #shared = new SharedRequests();
  readonly #inFlight = new Indexed<SentJob>();
  #looking = 0;
  #scoring = 0;
  /** Answers that came in and are not recorded yet. */
  #arrived: (Pick<FoundAnswer, 'result'> & { readonly job: RunJob })[] = [];
  #stopping = false;
  #scoredAfterStopMs = 0;
  #answered = 0;
  #failed = 0;
  /** What ends the run early. */
  #failure: unknown;
  #firstProblem: unknown;
  readonly #end = new AbortController();
  /** Ends scoring in another process. */
  readonly #stop = new AbortController();
  readonly #generateOptions: GenerateOptions;
  readonly #scoringSignals: ScoringSignals;
  #timer: NodeJS.Timeout | undefined;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(model: Model, evaluations: readonly EvaluationRun[], options: RunModelOptions) {
    this.model = model;
    this.evaluations = evaluations;
    this.#options = options;
    this.#generateOptions = {
      signal: AbortSignal.any([options.signal, this.#end.signal]),
      stop: this.#stop.signal,
    };
    const { signal } = this.#generateOptions;
    // Each answer that is being scored listens.
    setMaxListeners(0, this.#stop.signal);
    const hurries = () => this.#scoredAfterStopMs > longestAfterStopMs;
    this.#scoringSignals = { signal, stop: this.#stop.signal, hurries };
    this.pacer = new Pacer(options);
    const [first] = evaluations;
    if (first) {
      const { modelIdentity } = first.evaluation;
      options.cache?.putModel({ model: modelIdentity, harness, identity: model.identity });
    }
    this.#supply = new JobSupply(jobsOfAll(evaluations), {
      more: () => this.#pump(),
      failed: (error) => this.#endGently(error),
    });
  }

  /** Ends when every row has an outcome, or nothing more may start. Throws what stops the run. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    const stop = () => this.stopStarting();
    // Each model of the run listens.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop);
    this.#stopping ||= signal.aborted;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#settle = { resolve, reject };
        this.#pump();
      });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** The request that has been in flight for the longest time. */
  get slowest(): SlowRequest | undefined {
    const [oldest] = this.#inFlight.all.sort((one, other) => one.sentAt - other.sentAt);
    if (!oldest) return undefined;
    const { run, planned } = oldest.job;
    const dataset = run.evaluation.task.name;
    return { dataset, id: planned.id, waitedMs: performance.now() - oldest.sentAt };
  }

  /** Whether every row was taken up. */
  get exhausted(): boolean {
    return this.#supply.isExhausted;
  }

  /** Lets the requests in flight finish and starts no more. */
  stopStarting(): void {
    this.#stopping = true;
    this.#stop.abort();
    this.#pump();
  }

  #endGently(error: unknown): void {
    this.#failure ??= error;
    this.stopStarting();
  }

  #pump(): void {
    if (!this.#settle) return;
    try {
      this.#start();
    } catch (error) {
      this.#abort(error);
      return;
    }
    this.#supply.refill();
    const isWaiting = this.#looking + this.unrecorded + this.pacer.inFlight > 0;
    const isDone = this.#retries.size === 0 && this.#supply.isSpent;
    if (isWaiting || !(this.#stopping || isDone)) return;
    const { answered, reused } = this.#progress;
    if (isDone && answered + reused === 0) this.#failure ??= this.#firstProblem ?? this.#refusal;
    this.#finish();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (!this.#stopping && this.pacer.hasRoom) {
      const now = performance.now();
      const delay = this.pacer.delayMs(now);
      if (delay > 0) {
        this.#wakeIn(delay);
        return;
      }
      const retry = this.#retries.takeDue(now);
      if (retry) {
        this.#send(retry, now);
        continue;
      }
      const job = this.#waiting < maxWaiting ? this.#supply.take() : undefined;
      if (!job) {
        if (this.#retries.size > 0) this.#wakeIn(this.#retries.dueAt - now);
        return;
      }
      this.#launch(job, now);
    }
  }

  get #waiting(): number {
    return this.#retries.size + this.#shared.size + this.#looking + this.unrecorded;
  }

  /** Answers that are still to be scored or kept. */
  get unrecorded(): number {
    return this.#arrived.length + this.#scoring;
  }

  #launch(job: RunJob, now: number): void {
    if (this.#shared.join(job)) return;
    if (!job.isNew && this.#isKnown(job)) {
      this.#lookUp(job);
      return;
    }
    this.#shared.start(job);
    this.#send(job, now);
  }

  #send(job: RunJob, now: number): void {
    this.pacer.start(now);
    job.attempts++;
    job.run.noteSent();
    const index = this.#inFlight.add({ job, sentAt: now });
    sendJob(job, this.model, this.#optionsFor(job)).then(
      (result) => this.#settled(index, () => this.#succeed(job, result)),
      (error) => this.#settled(index, () => this.#fail(job, error)),
    );
  }

  /** Further requests of an answer count, and keep the pace. */
  #optionsFor({ planned: { request }, run }: RunJob): GenerateOptions {
    if (!('prompt' in request) || !request.loop) return this.#generateOptions;
    const onRequest = () => {
      run.noteSent();
      const delayMs = this.pacer.startFurther(performance.now());
      return delayMs > 0
        ? wait(delayMs, undefined, { signal: this.#generateOptions.signal })
        : undefined;
    };
    return { ...this.#generateOptions, onRequest };
  }

  /** Goes on after a request; what goes wrong then ends the run. */
  #settled(index: number, step: () => void): void {
    this.#inFlight.remove(index);
    try {
      step();
    } catch (error) {
      this.#abort(error);
    }
  }

  #isKnown({ key }: RunJob): boolean {
    return this.evaluations.some((run) => run.knows(key)) || this.#cached?.has(key) === true;
  }

  /** Where answers of earlier runs may be taken from. */
  get #cached(): ResponseCache | undefined {
    return this.#options.ignoresCached ? undefined : this.#options.cache;
  }

  /** Takes the answer of a row that was asked the same, or of an earlier run. */
  #lookUp(job: RunJob): void {
    this.#looking++;
    this.#findAnswer(job)
      .then((found) => {
        this.#looking--;
        if (found) this.#answer(job, found);
        else {
          job.isNew = true;
          this.#supply.putFirst([job]);
        }
        this.#pump();
      })
      .catch((error) => this.#abort(error));
  }

  async #findAnswer(job: RunJob): Promise<FoundAnswer | undefined> {
    for (const run of this.evaluations) {
      const found = await run.findAnswer(job);
      if (found) return found;
    }
    const result = await this.#cached?.get(job.key);
    return result && { result, from: 'cache' };
  }

  #succeed(job: RunJob, result: FoundAnswer['result']): void {
    this.pacer.succeed();
    this.#answered++;
    this.#arrived.push({ job, result });
    if (this.#arrived.length === 1) this.#recordSoon();
    this.#pump();
  }

  #recordSoon(): void {
    // The next requests go out first: the server works on them while these are recorded. They
    // are written in this turn of the event loop, after what was planned before.
    nextTurn()
      .then(nextTurn)
      .then(() => {
        this.#record(performance.now() + longestTurnMs);
        if (this.#arrived.length > 0) this.#recordSoon();
        this.#pump();
      })
      .catch((error) => this.#abort(error));
  }

  /** Records what arrived, up to a moment: interrupts are heeded before the rest. */
  #record(until = Number.POSITIVE_INFINITY): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    for (const [index, { job, result }] of arrived.entries()) {
      if (performance.now() > until) {
        this.#arrived = [...arrived.slice(index), ...this.#arrived];
        return;
      }
      this.#options.cache?.put(job.key, result, { asked: cachedRequest(job) });
      this.#answer(job, { result });
      for (const follower of this.#shared.end(job)) {
        this.#answer(follower, { result, from: 'row' });
      }
    }
  }

  #answer(job: RunJob, found: FoundAnswer): void {
    const startedAt = performance.now();
    const followUp = job.run.answer(job, found, this.#scoringSignals);
    if (this.#stopping) this.#scoredAfterStopMs += performance.now() - startedAt;
    if (!(followUp instanceof Promise)) {
      this.#follow(job.run, followUp);
      return;
    }
    this.#scoring++;
    followUp
      .then((whole) => {
        this.#scoring--;
        this.#follow(job.run, whole);
        this.#pump();
      })
      .catch((error) => {
        const isJudge = error instanceof JudgeError;
        const isOver =
          this.#options.signal.aborted ||
          error instanceof NotSentError ||
          error === this.#stop.signal.reason;
        if (!isJudge && !isOver) return this.#abort(error);
        this.#scoring--;
        // The model is well: what it is being asked is kept, and judged by the next run.
        if (isJudge) this.#endGently(error);
        else this.stopStarting();
      });
  }

  /** What a row has to ask next comes before other rows, so that few are in flight. */
  #follow(run: EvaluationRun, whole: FollowUp): void {
    if (whole) this.#supply.putFirst(partJobs(run, whole));
  }

  #fail(job: RunJob, error: unknown): void {
    if (error instanceof NotSentError) {
      job.run.counts.sent--;
      this.pacer.release();
      this.stopStarting();
      return;
    }
    const now = performance.now();
    const problem = error instanceof ModelError ? error : undefined;
    endFailed(this.pacer, problem, now);
    if (this.#generateOptions.signal.aborted) {
      this.#pump();
      return;
    }
    if (problem?.retryable && job.attempts < this.#options.maxAttempts) {
      this.#retries.add(job, now + retryDelayMs(job.key, job.attempts, problem.retryAfterMs));
    } else if (problem && isHopeless(problem, this.#progress)) {
      this.#abort(problem);
      return;
    } else {
      this.#failed++;
      this.#firstProblem ??= error;
      for (const failed of [job, ...this.#shared.end(job)]) failed.run.fail(failed, error);
    }
    this.#pump();
  }

  get #refusal(): Error | undefined {
    return this.evaluations.find(({ refusal }) => refusal)?.refusal;
  }

  get #progress(): Progress {
    const reused = this.evaluations.map(
      ({ counts }) => counts.resumed + counts.kept + counts.shared + counts.cached,
    );
    return {
      answered: this.#answered,
      reused: reused.reduce((sum, count) => sum + count, 0),
      failed: this.#failed,
      failedRows: this.evaluations.reduce((sum, { counts }) => sum + counts.failed, 0),
      mayFail: this.#options.mayFail?.(),
    };
  }

  #wakeIn(delayMs: number): void {
    this.#timer ??= setTimeout(() => this.#pump(), Math.min(Math.ceil(delayMs), longestTimerMs));
  }

  #finish(): void {
    clearTimeout(this.#timer);
    if (this.#failure === undefined) this.#settle?.resolve();
    else this.#settle?.reject(ofModel(this.#failure, this.evaluations[0]?.evaluation.modelConfig));
    this.#settle = undefined;
    this.#supply.close();
  }

  /** Ends the run at once: what is in flight could not be kept, or would fail as well. */
  #abort(error: unknown): void {
    this.#failure ??= error;
    try {
      this.#record();
    } catch {
      // What cannot be kept is asked again by the next run.
    }
    this.#finish();
    this.#end.abort(error);
    this.#stop.abort();
  }
}
