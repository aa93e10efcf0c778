import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker as Thread } from 'node:worker_threads';
import type { Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Config } from '../config/config.ts';
import type { Model } from '../model/model.ts';
import type { KeeperData, KeeperMessage } from './lock-keeper.ts';
import {
  answersKeptSeconds,
  answersKey,
  heartbeatMs,
  lockCheckMs,
  lockMs,
  maxLosses,
  modelGoneMs,
  modelsKey,
  prefix,
  workersKey,
} from './names.ts';
import { openQueued, type QueuedModel, readQueuedModel } from './queued-model.ts';
import { openRedis, serverTime } from './redis.ts';
import { Slots } from './slots.ts';
import { answerCarried, type CarriedAnswer, readUnit } from './wire.ts';
import type { WorkerState } from './worker-state.ts';

export interface WorkerOptions {
  readonly queue: string;
  /** The most requests at once. */
  readonly concurrency: number;
  /** The models that it may answer for, by their `abbr`; all by default. */
  readonly models?: readonly string[] | undefined;
  /** Its own models, for those whose config does not go through a queue. */
  readonly config?: Config | undefined;
  /** Aborting it ends the work on units that are under way; others take them over. */
  readonly signal: AbortSignal;
  readonly onEvent: (line: string) => void;
  /** How long it keeps a model open that no run asks; five minutes by default. */
  readonly idleMs?: number;
}

interface ServedModel {
  readonly abbr: string;
  readonly model: Model;
  readonly worker: Worker;
  /** When it last heard of a run that asks it. */
  heardAt: number;
  /** Units under way. */
  active: number;
  fetching: Promise<void>;
}

/** A model that could not be opened is tried again after this time. */
const openAgainMs = 30_000;

/** Answers requests of runs, wherever they are, until it is told to stop. */
export class QueueWorker {
  readonly #redis: Redis;
  readonly #options: WorkerOptions;
  readonly #slots: Slots;
  readonly #id = randomUUID();
  readonly #served = new Map<string, ServedModel>();
  readonly #refused = new Map<string, { readonly abbr: string; reason: string; at: number }>();
  #active = 0;
  readonly #keeper: Thread;
  readonly #answers: { readonly run: string; readonly answer: CarriedAnswer }[] = [];
  #writing: Promise<void> | undefined;
  #answered = 0;
  #isDraining = false;
  readonly #timers: NodeJS.Timeout[] = [];

  private constructor(redis: Redis, options: WorkerOptions) {
    this.#redis = redis;
    this.#options = options;
    this.#slots = new Slots(options.concurrency);
    this.#keeper = startKeeper({ queue: options.queue, token: this.#id });
  }

  static async open(options: WorkerOptions): Promise<QueueWorker> {
    const worker = new QueueWorker(await openRedis(options.queue), options);
    await worker.#lookForModels();
    worker.#every(heartbeatMs, () => worker.#lookForModels());
    return worker;
  }

  /** How many requests it answered. */
  get answered(): number {
    return this.#answered;
  }

  /** Finishes what is under way, takes nothing more, and lets go of the server. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    const served = [...this.#served.values()];
    await Promise.allSettled(served.map(({ worker }) => worker.close()));
    await Promise.allSettled(served.map(({ fetching }) => fetching));
    while (this.#active > 0) await wait(20);
    for (const timer of this.#timers) clearInterval(timer);
    await this.#keeper.terminate();
    await Promise.allSettled(served.map(({ model }) => model.close()));
    await Promise.allSettled([...this.#served.keys()].map((name) => this.#tidy(name)));
    await this.#redis.hdel(workersKey, this.#id).catch(() => undefined);
    await this.#redis.quit().catch(() => undefined);
  }

  #every(ms: number, work: () => Promise<void>): void {
    let isBusy = false;
    const timer = setInterval(async () => {
      if (isBusy) return;
      isBusy = true;
      await work().catch(() => undefined);
      isBusy = false;
    }, ms);
    this.#timers.push(timer);
  }

  async #lookForModels(): Promise<void> {
    if (!this.#isDraining) await this.#openAndClose();
    const state: WorkerState = {
      name: `${hostname()}:${process.pid}`,
      concurrency: this.#options.concurrency,
      inFlight: this.#slots.taken,
      answered: this.#answered,
      models: this.#isDraining
        ? []
        : [...new Set([...this.#served.values()].map(({ abbr }) => abbr))],
      refused: Object.fromEntries(
        [...this.#refused.values()].map(({ abbr, reason }) => [abbr, reason]),
      ),
      at: Date.now(),
    };
    await this.#redis.hset(workersKey, this.#id, JSON.stringify(state));
  }

  /** Serves the models that runs ask, and no others. */
  async #openAndClose(): Promise<void> {
    const told = await this.#redis.hgetall(modelsKey);
    const now = await serverTime(this.#redis);
    for (const [name, text] of Object.entries(told)) {
      const queued = readQueuedModel(text);
      const age = queued ? now - queued.at : 0;
      if (age > answersKeptSeconds * 1000) await this.#forget(name);
      if (!queued || age > modelGoneMs) continue;
      const served = this.#served.get(name);
      if (served) served.heardAt = performance.now();
      else if (this.#mayServe(name, queued)) await this.#serve(name, queued);
    }
    const { idleMs = modelGoneMs } = this.#options;
    for (const [name, served] of this.#served) {
      const isIdle = served.active === 0 && performance.now() - served.heardAt > idleMs;
      if (isIdle) this.#leave(name, served).catch(() => undefined);
    }
  }

  /** Removes what a run left behind that nobody started again. */
  async #forget(name: string): Promise<void> {
    const { Queue } = await import('bullmq');
    const queue = new Queue(name, { connection: this.#redis, prefix, skipVersionCheck: true });
    await queue.obliterate({ force: true });
    await this.#redis.hdel(modelsKey, name);
    await queue.close();
  }

  async #leave(name: string, served: ServedModel): Promise<void> {
    this.#served.delete(name);
    await served.worker.close();
    await served.fetching;
    while (served.active > 0) await wait(20);
    await served.model.close();
    await this.#tidy(name);
    this.#options.onEvent(`no longer serving \`${served.abbr}\`: no run asks it`);
  }

  /** Checks of locks make this anew, after the run took it away. */
  async #tidy(name: string): Promise<void> {
    const isAsked = await this.#redis.hexists(modelsKey, name);
    if (!isAsked) await this.#redis.del(`${prefix}:${name}:meta`);
  }

  #mayServe(name: string, { abbr }: QueuedModel): boolean {
    const { models } = this.#options;
    if (models && !models.includes(abbr)) return false;
    const refused = this.#refused.get(name);
    return !refused || Date.now() - refused.at > openAgainMs;
  }

  async #serve(name: string, queued: QueuedModel): Promise<void> {
    const { config: own, concurrency, onEvent } = this.#options;
    const { abbr } = queued;
    try {
      const model = await openQueued(queued, { own, concurrency });
      const { Worker } = await import('bullmq');
      const worker = new Worker(name, null, {
        connection: this.#redis,
        prefix,
        skipVersionCheck: true,
        lockDuration: lockMs,
        stalledInterval: lockCheckMs,
        maxStalledCount: maxLosses,
        drainDelay: 1,
      });
      worker.on('error', () => undefined);
      await worker.waitUntilReady();
      await worker.startStalledCheckTimer();
      this.#refused.delete(name);
      const heardAt = performance.now();
      const served = { abbr, model, worker, heardAt, active: 0, fetching: Promise.resolve() };
      served.fetching = this.#fetch(served);
      this.#served.set(name, served);
      onEvent(`serving \`${abbr}\``);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#refused.get(name)?.reason !== reason) {
        const hint = error instanceof Error && 'hint' in error ? error.hint : undefined;
        onEvent(`not serving \`${abbr}\`: ${reason}${hint ? `\n  ${hint}` : ''}`);
      }
      this.#refused.set(name, { abbr, reason, at: Date.now() });
    }
  }

  /** Takes units of a model, as long as there is room for their requests. */
  async #fetch(served: ServedModel): Promise<void> {
    const { worker } = served;
    while (!worker.closing) {
      await this.#slots.room();
      try {
        const job = await worker.getNextJob(this.#id);
        if (job) this.#work(served, job);
      } catch {
        // The server is away; the connection comes back by itself.
        if (!worker.closing) await wait(500);
      }
    }
  }

  #noteUnit({ queueName: name, id: unit = '' }: Job, isTaken: boolean): void {
    this.#keeper.postMessage({ name, unit, isTaken } satisfies KeeperMessage);
  }

  async #work(served: ServedModel, job: Job): Promise<void> {
    const { signal } = this.#options;
    const { model } = served;
    const unit = readUnit(job.data);
    this.#active += 1;
    served.active += 1;
    this.#noteUnit(job, true);
    try {
      // Too many workers were lost with it: the run splits it, or gives it up.
      if (job.deferredFailure) {
        await job.moveToFailed(new Error(job.deferredFailure), this.#id, false);
        return;
      }
      await Promise.all(
        (unit?.requests ?? []).map(async (request) => {
          const answer = await this.#slots.use(() => answerCarried(model, request, { signal }));
          this.#answered += 1;
          if (unit) await this.#tell(unit.run, answer);
        }),
      );
      await job.moveToCompleted(null, this.#id, false);
    } catch {
      // The unit stays in the queue, and is taken over when its lock has run out.
    } finally {
      this.#active -= 1;
      served.active -= 1;
      this.#noteUnit(job, false);
    }
  }

  /** Puts an answer where the run finds it; many at once in one go. */
  #tell(run: string, answer: CarriedAnswer): Promise<void> {
    this.#answers.push({ run, answer });
    this.#writing ??= Promise.resolve().then(() => this.#writeAnswers());
    return this.#writing;
  }

  async #writeAnswers(): Promise<void> {
    this.#writing = undefined;
    const pipeline = this.#redis.pipeline();
    const runs = new Set<string>();
    for (const { run, answer } of this.#answers.splice(0)) {
      runs.add(run);
      pipeline.xadd(answersKey(run), '*', 'answer', JSON.stringify(answer));
    }
    for (const run of runs) pipeline.expire(answersKey(run), answersKeptSeconds);
    const written = await pipeline.exec();
    const failed = written?.find(([error]) => error)?.[0];
    if (failed) throw failed;
  }
}

/** In the package the thread is a file beside this one. Its source has to be compiled first. */
function startKeeper(workerData: KeeperData): Thread {
  if (!import.meta.url.endsWith('.ts')) {
    return new Thread(new URL('./lock-keeper.js', import.meta.url), { workerData });
  }
  const { href } = new URL('./lock-keeper.ts', import.meta.url);
  const code = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${href}'); });`;
  return new Thread(code, { eval: true, workerData });
}
