import { ModelError } from '../errors.ts';
import type { GenerateResult, Model } from '../model/model.ts';
import { backoffMs } from './backoff.ts';
import { type Job, makeJobs } from './job.ts';
import { Pacer, type PacerOptions } from './pacer.ts';
import type { ResponseCache } from './response-cache.ts';
import type { TaskRun } from './task-run.ts';

export interface RunModelOptions extends PacerOptions {
  readonly maxAttempts: number;
  readonly cache?: ResponseCache | undefined;
  /** Aborting ends the requests under way; `stopStarting` lets them finish. */
  readonly signal: AbortSignal;
}

/** Waiting for its next attempt. */
interface Retry {
  readonly job: Job;
  readonly dueAt: number;
}

/** How many jobs are kept ready. */
const lowWater = 512;
const recentAnswers = 256;

/**
 * Answers all rows of some tasks with one model. Requests start as soon as there is room: there
 * are no batches, and no pause between tasks.
 */
export class ModelRun {
  readonly model: Model;
  readonly pacer: Pacer;
  readonly tasks: readonly TaskRun[];
  readonly #options: RunModelOptions;
  readonly #producer: AsyncGenerator<Job[]>;
  #ready: Job[] = [];
  #position = 0;
  #retries: Retry[] = [];
  /** Jobs under way by key, with the jobs that wait for the same answer. */
  readonly #underWay = new Map<string, Job[]>();
  /** The newest answers, for identical requests that come one after the other. */
  readonly #recent = new Map<string, GenerateResult>();
  #looking = 0;
  #producing = false;
  #exhausted = false;
  #stopping = false;
  #answered = 0;
  #timer: NodeJS.Timeout | undefined;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(model: Model, tasks: readonly TaskRun[], options: RunModelOptions) {
    this.model = model;
    this.tasks = tasks;
    this.#options = options;
    this.pacer = new Pacer(options);
    this.#producer = this.#produce();
  }

  /** Ends when every row has an outcome, or nothing more may start. Throws what stops the run. */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#pump();
    });
  }

  /** Whether every row was taken up. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** Lets the requests under way finish and starts no more. */
  stopStarting(): void {
    this.#stopping = true;
    this.#pump();
  }

  async *#produce(): AsyncGenerator<Job[]> {
    for (const task of this.tasks) yield* makeJobs(task, this.model);
  }

  #pump(): void {
    if (!this.#settle) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (!this.#stopping && this.pacer.hasRoom) {
      const now = performance.now();
      const delay = this.pacer.delayMs(now);
      if (delay > 0) {
        this.#wakeIn(delay);
        break;
      }
      const job = this.#next(now);
      if (!job) break;
      this.#launch(job, now);
    }
    if (!this.#exhausted && !this.#producing && this.#ready.length - this.#position < lowWater) {
      this.#fetch();
    }
    const waiting = this.#looking > 0 || this.pacer.underWay > 0;
    const left =
      this.#ready.length > this.#position || this.#retries.length > 0 || !this.#exhausted;
    if (!waiting && (this.#stopping || !left)) this.#finish();
  }

  #next(now: number): Job | undefined {
    const [retry] = this.#retries;
    if (retry && retry.dueAt <= now) {
      this.#retries.shift();
      return retry.job;
    }
    const job = this.#ready[this.#position];
    if (job) {
      this.#position++;
      return job;
    }
    if (retry) this.#wakeIn(retry.dueAt - now);
    return undefined;
  }

  #fetch(): void {
    this.#producing = true;
    this.#producer.next().then(
      ({ value, done }) => {
        this.#producing = false;
        if (done) this.#exhausted = true;
        else {
          this.#ready = this.#ready.slice(this.#position).concat(value);
          this.#position = 0;
        }
        this.#pump();
      },
      (error) => this.#abort(error),
    );
  }

  #launch(job: Job, now: number): void {
    const followers = this.#underWay.get(job.key);
    if (followers) {
      followers.push(job);
      return;
    }
    const recent = this.#recent.get(job.key);
    if (recent) {
      job.task.answer(job, recent, 'row');
      return;
    }
    const twin = job.task.twinOf(job);
    if (twin !== undefined || this.#options.cache?.has(job.key)) {
      this.#lookUp(job, twin);
      return;
    }
    this.#send(job, now);
  }

  #send(job: Job, now: number): void {
    this.#underWay.set(job.key, []);
    this.pacer.start(now);
    job.attempts++;
    job.task.counts.sent++;
    this.model
      .generate(job.request, this.#options)
      .then(
        (result) => this.#succeed(job, result),
        (error) => this.#fail(job, error),
      )
      .catch((error) => this.#abort(error));
  }

  /** Takes the answer of a row that was asked the same, or of an earlier run. */
  #lookUp(job: Job, twin: number | undefined): void {
    this.#looking++;
    this.#findAnswer(job, twin)
      .then((found) => {
        this.#looking--;
        if (found) job.task.answer(job, found, twin === undefined ? 'cache' : 'row');
        else this.#send(job, performance.now());
        this.#pump();
      })
      .catch((error) => this.#abort(error));
  }

  async #findAnswer(job: Job, twin: number | undefined): Promise<GenerateResult | undefined> {
    if (twin === undefined) return this.#options.cache?.get(job.key);
    const record = await job.task.recordOf(twin);
    if (record?.key !== job.key || record.answer === undefined) return undefined;
    const { answer, reasoning, tokens, ms = 0 } = record;
    return {
      text: answer,
      reasoning,
      finishReason: (record.finish ?? 'stop') as GenerateResult['finishReason'],
      ...(tokens && { usage: { inputTokens: tokens[0], outputTokens: tokens[1] } }),
      totalMs: ms,
    };
  }

  #succeed(job: Job, result: GenerateResult): void {
    this.pacer.succeed();
    this.#answered++;
    this.#options.cache?.put(job.key, result);
    this.#remember(job.key, result);
    job.task.answer(job, result);
    for (const follower of this.#takeFollowers(job)) follower.task.answer(follower, result, 'row');
    this.#pump();
  }

  get #hasAnswers(): boolean {
    return this.#answered > 0 || this.tasks.some(({ counts }) => counts.resumed > 0);
  }

  #remember(key: string, result: GenerateResult): void {
    this.#recent.set(key, result);
    if (this.#recent.size <= recentAnswers) return;
    const oldest = this.#recent.keys().next();
    if (!oldest.done) this.#recent.delete(oldest.value);
  }

  #fail(job: Job, error: unknown): void {
    const now = performance.now();
    const problem = error instanceof ModelError ? error : undefined;
    const overloaded =
      problem?.retryable === true && (problem.status === undefined || problem.status >= 429);
    if (overloaded) this.pacer.throttle(now, problem.retryAfterMs);
    else this.pacer.release();
    if (this.#options.signal.aborted) {
      this.#underWay.delete(job.key);
      this.#pump();
      return;
    }
    if (problem?.retryable && job.attempts < this.#options.maxAttempts) {
      const delay = backoffMs(job.key, job.attempts, problem.retryAfterMs);
      this.#queueRetry({ job, dueAt: now + delay });
    } else if (problem && !this.#hasAnswers && isHopeless(problem)) {
      this.#abort(problem);
      return;
    } else {
      const reason = error instanceof Error ? error.message : String(error);
      for (const failed of [job, ...this.#takeFollowers(job)]) failed.task.fail(failed, reason);
    }
    this.#pump();
  }

  #queueRetry(retry: Retry): void {
    this.#ready = [...this.#takeFollowers(retry.job), ...this.#ready.slice(this.#position)];
    this.#position = 0;
    const later = this.#retries.findIndex(({ dueAt }) => dueAt > retry.dueAt);
    this.#retries.splice(later < 0 ? this.#retries.length : later, 0, retry);
  }

  #takeFollowers(job: Job): Job[] {
    const followers = this.#underWay.get(job.key) ?? [];
    this.#underWay.delete(job.key);
    return followers;
  }

  #wakeIn(delayMs: number): void {
    this.#timer ??= setTimeout(() => this.#pump(), Math.ceil(delayMs));
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#settle?.resolve();
    this.#settle = undefined;
  }

  #abort(error: unknown): void {
    clearTimeout(this.#timer);
    this.#settle?.reject(error);
    this.#settle = undefined;
  }
}

/** Errors that every other request would meet as well, if none has been answered yet. */
function isHopeless({ status, retryable }: ModelError): boolean {
  return status === undefined || [401, 403, 404].includes(status) || (!retryable && status < 429);
}
