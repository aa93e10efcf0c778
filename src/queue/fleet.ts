import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { countOf } from '../base/format.ts';
import type { Config, ModelConfig } from '../config/config.ts';
import { NotSentError } from '../errors.ts';
import type { Meter } from '../evaluation/judges.ts';
import { requestKey } from '../evaluation/key.ts';
import { type Abortable, AbortWatch } from '../model/abort-watch.ts';
import type { LoglikelihoodRequest } from '../model/loglikelihood.ts';
import {
  encodeRequest,
  type GenerateOptions,
  type GenerateRequest,
  type Model,
} from '../model/model.ts';
import type { RunReach } from '../run/run-control.ts';
import { queueFileName } from '../run/store/run-folder.ts';
import type { ModelAnswer } from '../run/store/stored-answer.ts';
import { AnswerStream } from './answer-stream.ts';
import { ModelLine } from './model-line.ts';
import { heartbeatMs, lockCheckMs, prefix } from './names.ts';
import { describeQueued, queueName } from './queued-model.ts';
import { openRedis } from './redis.ts';
import { type PendingRequest, UnitCare } from './unit-care.ts';
import { type ArrivedAnswer, type CarriedRequest, carry } from './wire.ts';
import type { WorkerState } from './worker-state.ts';
import { WorkerWatch } from './worker-watch.ts';

interface Pending extends Abortable, PendingRequest {
  /** Judges have none: they are asked as long as a model is. */
  readonly stop: AbortSignal | undefined;
  readonly resolve: (answer: ModelAnswer) => void;
}

const forgetMs = 1000;

interface FleetOptions {
  /** What the run is known by in the queue, over all of its starts. */
  readonly run: string;
  readonly config: Pick<Config, 'folder'>;
}

interface OpenedRun {
  readonly path: string;
  readonly config: FleetOptions['config'];
  /** Whether what earlier starts asked does not count any more. */
  readonly isFresh?: boolean | undefined;
}

/**
 * Sends the requests of a run to workers, and gives their answers. Pace, attempts, keys, log and scores stay where
 * they are without it: a model that is asked through a queue is a model like others.
 */
export class Fleet implements RunReach {
  readonly #redis: Redis;
  readonly #answers: AnswerStream;
  readonly #watchedWorkers: WorkerWatch;
  readonly #care: UnitCare;
  readonly #options: FleetOptions;
  readonly #lines = new Map<string, ModelLine>();
  readonly #pending = new Map<string, Pending>();
  /** Answers that nobody asked for yet, such as those to an earlier start, and requests of one that are under way. */
  readonly #early = new Map<string, ModelAnswer>();
  readonly #expected = new Map<string, string>();
  /** Answers to an earlier start that this one has not asked for. */
  readonly #unclaimed = new Set<string>();
  readonly #watch = new AbortWatch();
  /** Each model of the run has one. */
  readonly #stops = new Set<AbortSignal>();
  readonly #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  private constructor(redis: Redis, options: FleetOptions) {
    this.#redis = redis;
    this.#answers = new AnswerStream(redis, options.run);
    this.#watchedWorkers = new WorkerWatch(redis);
    this.#options = options;
    this.#care = new UnitCare(this.#pending, (line, requests) => this.#sendUnit(line, requests));
  }

  /** Reaches the workers at an address for the run in a folder. */
  static async open(address: string, { path, config, isFresh }: OpenedRun): Promise<Fleet> {
    const redis = await openRedis(address);
    const fleet = new Fleet(redis, { run: await runIn(path, isFresh), config });
    for (const answer of await fleet.#answers.takeWaiting()) {
      fleet.#take(answer);
      if (answer.result) fleet.#unclaimed.add(answer.key);
    }
    await fleet.#lookForWorkers();
    fleet.#answers.follow((answer) => fleet.#take(answer));
    fleet.#every(heartbeatMs, () => fleet.#lookForWorkers());
    fleet.#every(forgetMs, () => fleet.#answers.forgetTaken());
    fleet.#every(lockCheckMs, () => fleet.#care.look([...fleet.#lines.values()]));
    return fleet;
  }

  /** A model whose requests go to workers. Recorded answers are here already. */
  readonly meter: Meter = (model, config) => {
    if (config.type === 'Replay' || config.type === 'Dummy') return model;
    const line = () => this.#lineOf(model, config);
    const { loglikelihoodModel } = model;
    const ask = (request: GenerateRequest | LoglikelihoodRequest, options: GenerateOptions) =>
      line().then((opened) => this.#ask({ line: opened, abbr: config.abbr }, request, options));
    // What the model finds out later shows through.
    return Object.create(model, {
      generate: { value: ask },
      ...(loglikelihoodModel && {
        loglikelihoodModel: {
          value: Object.create(loglikelihoodModel, { measure: { value: ask } }),
        },
      }),
    });
  };

  /** How many requests to a model may be under way so that its workers always find some. */
  readonly roomFor = (abbr: string): number => {
    const serving = this.#watchedWorkers.workers.filter(({ models }) => models.includes(abbr));
    return Math.max(leastRoom, slotsOf(serving) * 2);
  };

  get state(): string {
    const { workers } = this.#watchedWorkers;
    const names = new Set([...this.#lines.values()].map(({ abbr }) => abbr));
    const ours = workers.filter(({ models }) => models.some((abbr) => names.has(abbr)));
    if (ours.length > 0) return describeWorkers(ours, this.#care.waitingUnits);
    const [refusal] = workers.flatMap(({ name, refused }) =>
      Object.entries(refused).flatMap(([abbr, reason]) =>
        names.has(abbr) ? [`${name} does not serve \`${abbr}\`: ${reason}`] : [],
      ),
    );
    return refusal ?? 'no worker yet: start `typecase worker --queue …`';
  }

  /** Lets go of the server. What still comes in is for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    // What a start did not ask for counts for the next one, unless it came to its end.
    const isEnd = this.#unclaimed.size === 0 || (this.#lines.size > 0 && !this.#isOver(undefined));
    const isThrough = this.#pending.size === 0 && isEnd;
    for (const pending of [...this.#pending.values()]) {
      pending.reject(new Error('the queue was closed'));
    }
    await this.#answers.close({ isThrough });
    for (const line of this.#lines.values()) await line.close();
    await this.#redis.quit().catch(() => undefined);
  }

  #every(ms: number, work: () => Promise<void>): void {
    let isBusy = false;
    const timer = setInterval(async () => {
      if (isBusy || this.#isClosed) return;
      isBusy = true;
      // The connection comes back by itself; what was missed is done the next time.
      await work().catch(() => undefined);
      isBusy = false;
    }, ms);
    this.#timers.push(timer);
  }

  #lineOf(model: Model, config: ModelConfig): Promise<ModelLine> {
    const described = describeQueued(model, config, this.#options.config);
    const name = queueName(described);
    const open = this.#lines.get(name);
    if (open) return Promise.resolve(open);
    return import('bullmq').then(({ Queue }) => {
      const known = this.#lines.get(name);
      if (known) return known;
      const queue = new Queue(name, { connection: this.#redis, prefix, skipVersionCheck: true });
      queue.on('error', () => undefined);
      const line = new ModelLine({
        ...{ model, described, queue },
        ...{ redis: this.#redis, run: this.#options.run },
      });
      this.#lines.set(name, line);
      line.opened = line.announce().then(() => this.#takeUnits(line));
      return line;
    });
  }

  async #ask(
    { line, abbr }: { readonly line: ModelLine; readonly abbr: string },
    request: GenerateRequest | LoglikelihoodRequest,
    { signal, stop }: GenerateOptions,
  ): Promise<ModelAnswer> {
    signal.throwIfAborted();
    await line.opened;
    const { model } = line;
    const own = request.key ?? requestKey(encodeRequest(model, request), line.described.identity);
    if (stop) this.#withdrawOn(stop);
    const written = await carry(model, request, own);
    signal.throwIfAborted();
    const key = this.#freeKey(`${abbr} ${own}`);
    const carried = { ...written, key };
    const early = this.#early.get(key);
    if (early) {
      this.#early.delete(key);
      this.#unclaimed.delete(key);
      return early;
    }
    if (this.#isOver(stop)) throw notSent();
    const unit = this.#expected.get(key);
    this.#expected.delete(key);
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#watch.remove(signal, index);
        this.#pending.delete(key);
      };
      const pending: Pending = {
        line,
        carried,
        stop,
        resolve: (answer) => {
          done();
          resolve(answer);
        },
        reject: (error) => {
          done();
          reject(error);
        },
        abort: (reason) => pending.reject(reason),
      };
      const index = this.#watch.add(signal, pending);
      this.#pending.set(key, pending);
      if (unit === undefined) this.#send(line, carried);
      else pending.unit = unit;
    });
  }

  /** Models under two names may be one, and ask the same at once: each request has an answer of its own. */
  #freeKey(name: string): string {
    let key = name;
    while (this.#pending.has(key)) key += '+';
    return key;
  }

  #send(line: ModelLine, carried: CarriedRequest): void {
    line.batch.add(carried, (requests) => this.#sendUnit(line, requests));
  }

  #sendUnit(line: ModelLine, requests: readonly CarriedRequest[]): void {
    const wanted = requests.filter(({ key }) => this.#pending.has(key));
    if (wanted.length === 0) return;
    const unit = randomUUID();
    for (const { key } of wanted) {
      const pending = this.#pending.get(key);
      if (pending) pending.unit = unit;
    }
    line.send(unit, wanted).then(
      () => {
        // What was to be taken back may not have been there yet.
        const isOver = wanted.some(({ key }) => this.#isOver(this.#pending.get(key)?.stop));
        if (isOver) this.#withdraw().catch(() => undefined);
      },
      (error: unknown) => {
        for (const { key } of wanted) this.#pending.get(key)?.reject(error);
      },
    );
  }

  /** Takes back what no worker has begun, once no more is to be started. */
  #withdrawOn(stop: AbortSignal): void {
    if (this.#stops.has(stop)) return;
    this.#stops.add(stop);
    const withdraw = () => this.#withdraw().catch(() => undefined);
    if (!stop.aborted) stop.addEventListener('abort', withdraw, { once: true });
  }

  /** Whether what waits is not to be asked any more. */
  #isOver(stop: AbortSignal | undefined): boolean {
    if (stop) return stop.aborted;
    return this.#stops.size > 0 && [...this.#stops].every(({ aborted }) => aborted);
  }

  #giveUp(keys: readonly string[]): void {
    for (const key of keys) this.#pending.get(key)?.reject(notSent());
  }

  async #withdraw(): Promise<void> {
    const isOver = (key: string) => this.#isOver(this.#pending.get(key)?.stop);
    for (const line of this.#lines.values()) {
      const gathered = line.batch.clear();
      this.#giveUp(gathered.map(({ key }) => key).filter(isOver));
      for (const request of gathered) if (this.#pending.has(request.key)) this.#send(line, request);
      for (const { job, keys } of await line.units(['waiting', 'prioritized', 'delayed'])) {
        if (!keys.every(isOver)) continue;
        const isRemoved = await job.remove().then(
          () => true,
          () => false,
        );
        if (isRemoved) this.#giveUp(keys);
      }
    }
  }

  /** An answer that is not waited for yet may be asked for later in this start. */
  #take({ key, result, error }: ArrivedAnswer): void {
    const pending = this.#pending.get(key);
    this.#expected.delete(key);
    if (result) {
      if (pending) pending.resolve(result);
      else this.#early.set(key, result);
    } else pending?.reject(error);
  }

  /** Takes up requests of an earlier start that are still in the queue. */
  async #takeUnits(line: ModelLine): Promise<void> {
    for (const { job, keys } of await line.units(['waiting', 'active', 'delayed', 'prioritized'])) {
      for (const key of keys) this.#expected.set(key, job.id ?? '');
    }
  }

  /** Units of lost workers go to others at once, not only when their locks have run out. */
  async #lookForWorkers(): Promise<void> {
    const lost = await this.#watchedWorkers.look();
    for (const line of this.#lines.values()) {
      for (const worker of lost) await line.release(worker);
      await line.announceAgain();
    }
  }
}

/** The name of a run in queues, which its folder keeps. */
async function runIn(path: string, isFresh = false): Promise<string> {
  const file = join(path, queueFileName);
  await mkdir(path, { recursive: true });
  if (isFresh) await rm(file, { force: true });
  await writeFile(file, randomUUID(), { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(file, 'utf8');
}

/** Some requests wait for the first worker. */
const leastRoom = 64;

function notSent(): NotSentError {
  return new NotSentError('run.not_sent', 'the run ended before a worker took the request');
}

function slotsOf(workers: readonly WorkerState[]): number {
  return workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
}

function describeWorkers(workers: readonly WorkerState[], waitingUnits: number): string {
  const busy = workers.reduce((sum, { inFlight }) => sum + inFlight, 0);
  return [
    workers.length === 1 ? '1 worker' : `${workers.length} workers`,
    `${busy} of ${slotsOf(workers)} slots busy`,
    ...(waitingUnits > 0 ? [`${countOf(waitingUnits, 'unit')} queued`] : []),
  ].join(', ');
}
