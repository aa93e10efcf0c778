import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
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
  modelsKey,
  prefix,
  workersKey,
} from './names.ts';
import { openQueued, type QueuedModel, readQueuedModel } from './queued-model.ts';
import { openRedis } from './redis.ts';
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
}

interface ServedModel {
  readonly model: Model;
  readonly worker: Worker;
  readonly fetching: Promise<void>;
}

/** The most units that are fetched at once. */
const mostFetched = 8;
/** A model that could not be opened is tried again after this time. */
const openAgainMs = 30_000;
/** How long a run is believed to go on that says nothing. */
const modelGoneMs = 24 * 3600 * 1000;

/** Answers requests of runs, wherever they are, until it is told to stop. */
export class QueueWorker {
  readonly #redis: Redis;
  readonly #options: WorkerOptions;
  readonly #slots: Slots;
  readonly #id = randomUUID();
  readonly #served = new Map<string, ServedModel>();
  readonly #names = new Map<string, string>();
  readonly #refused = new Map<string, { readonly abbr: string; reason: string; at: number }>();
  #active = 0;
  /** Requests of the unit that came last. */
  #unitSize = 1;
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
    while (this.#active > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const timer of this.#timers) clearInterval(timer);
    await this.#keeper.terminate();
    await Promise.allSettled(served.map(({ model }) => model.close()));
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
    if (!this.#isDraining) {
      const told = await this.#redis.hgetall(modelsKey);
      for (const [name, text] of Object.entries(told)) {
        const queued = readQueuedModel(text);
        if (!queued || Date.now() - queued.at > modelGoneMs) continue;
        if (this.#mayServe(name, queued)) await this.#serve(name, queued);
      }
    }
    const state: WorkerState = {
      name: `${hostname()}:${process.pid}`,
      concurrency: this.#options.concurrency,
      inFlight: this.#slots.taken,
      answered: this.#answered,
      models: this.#isDraining ? [] : [...new Set(this.#names.values())],
      refused: Object.fromEntries(
        [...this.#refused.values()].map(({ abbr, reason }) => [abbr, reason]),
      ),
      at: Date.now(),
    };
    await this.#redis.hset(workersKey, this.#id, JSON.stringify(state));
  }

  #mayServe(name: string, { abbr }: QueuedModel): boolean {
    if (this.#served.has(name)) return false;
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
      this.#names.set(name, abbr);
      this.#served.set(name, { model, worker, fetching: this.#fetch(model, worker) });
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

  /** Takes units of a model, one ahead of those that are being worked on. */
  async #fetch(model: Model, worker: Worker): Promise<void> {
    while (!this.#isDraining) {
      await this.#slots.wanted();
      try {
        // Several go in one round trip, so that a slow network does not keep slots empty.
        const room = Math.ceil(this.#slots.free / this.#unitSize);
        const count = Math.min(room + 1, mostFetched);
        const jobs = await Promise.all(
          Array.from({ length: count }, () => worker.getNextJob(this.#id, { block: false })),
        );
        const found = jobs.filter((job) => job !== undefined);
        const waited = found.length === 0 ? await worker.getNextJob(this.#id) : undefined;
        for (const job of waited ? [waited] : found) this.#work(model, job);
      } catch {
        // The server is away; the connection comes back by itself.
        if (!this.#isDraining) await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }

  #noteUnit({ queueName: name, id: unit = '' }: Job, isTaken: boolean): void {
    this.#keeper.postMessage({ name, unit, isTaken } satisfies KeeperMessage);
  }

  async #work(model: Model, job: Job): Promise<void> {
    const { signal } = this.#options;
    const unit = readUnit(job.data);
    this.#unitSize = Math.max(1, unit?.requests.length ?? 1);
    this.#active += 1;
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
