import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Config, ModelConfig } from '../config/config.ts';
import { ModelError, NotSentError } from '../errors.ts';
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
import { ModelLine } from './model-line.ts';
import { answersKey, heartbeatMs, lockCheckMs, prefix, workerGoneMs, workersKey } from './names.ts';
import { describeQueued, queueName } from './queued-model.ts';
import { openRedis } from './redis.ts';
import { type ArrivedAnswer, type CarriedRequest, carry, readAnswer } from './wire.ts';
import { readWorker, type WorkerState } from './worker-state.ts';

interface Pending extends Abortable {
  readonly line: ModelLine;
  readonly carried: CarriedRequest;
  /** Judges have none: they are asked as long as a model is. */
  readonly stop: AbortSignal | undefined;
  readonly resolve: (answer: ModelAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** The unit that it went out with. */
  unit?: string;
}

/** A unit that is gone from the queue is given this long for its answers to arrive. */
const lostAfterMs = 10_000;
/** Answers are in the log of the run, and with the system, by then. */
const keptMs = 3000;
const answersAtOnce = 1000;

interface FleetOptions {
  /** What the run is known by in the queue, over all of its starts. */
  readonly run: string;
  readonly config: Pick<Config, 'folder'>;
}

/**
 * Sends the requests of a run to workers, and gives their answers. Pace, attempts, keys, log and scores stay where
 * they are without it: a model that is asked through a queue is a model like others.
 */
export class Fleet implements RunReach {
  readonly #redis: Redis;
  readonly #reader: Redis;
  readonly #options: FleetOptions;
  readonly #lines = new Map<string, ModelLine>();
  readonly #pending = new Map<string, Pending>();
  /** Answers of an earlier start that nobody asked for yet, and requests of one that are under way. */
  readonly #early = new Map<string, ArrivedAnswer>();
  readonly #expected = new Map<string, string>();
  readonly #watch = new AbortWatch();
  /** Each model of the run has one. */
  readonly #stops = new Set<AbortSignal>();
  readonly #timers: NodeJS.Timeout[] = [];
  #workers: readonly WorkerState[] = [];
  #isClosed = false;
  #reading: Promise<void> = Promise.resolve();
  #lastId = '0-0';
  /** What was taken in, and when. */
  #taken: { readonly id: string; readonly at: number }[] = [];

  private constructor(redis: Redis, options: FleetOptions) {
    this.#redis = redis;
    this.#reader = redis.duplicate();
    this.#reader.on('error', () => undefined);
    this.#options = options;
  }

  /** Reaches the workers at an address for the run in a folder. */
  static async open(
    address: string,
    { path, config }: { readonly path: string; readonly config: FleetOptions['config'] },
  ): Promise<Fleet> {
    const redis = await openRedis(address);
    const fleet = new Fleet(redis, { run: await runIn(path), config });
    await fleet.#takeWaiting();
    await fleet.#lookForWorkers();
    fleet.#reading = fleet.#read();
    fleet.#every(heartbeatMs, () => fleet.#lookForWorkers());
    fleet.#every(keptMs / 3, () => fleet.#forgetTaken());
    fleet.#every(lockCheckMs / 2, () => fleet.#lookAfterUnits());
    return fleet;
  }

  /** A model whose requests go to workers. Recorded answers are here already. */
  readonly meter: Meter = (model, config) => {
    if (config.type === 'Replay') return model;
    const line = () => this.#lineOf(model, config);
    const { loglikelihoodModel } = model;
    const ask = (request: GenerateRequest | LoglikelihoodRequest, options: GenerateOptions) =>
      line().then((opened) => this.#ask(opened, request, options));
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
    const serving = this.#workers.filter(({ models }) => models.includes(abbr));
    const slots = serving.reduce((sum, { concurrency }) => sum + concurrency, 0);
    return Math.max(leastRoom, slots * 2);
  };

  get state(): string {
    const names = new Set([...this.#lines.values()].map(({ abbr }) => abbr));
    const isOurs = ({ models }: WorkerState) => models.some((abbr) => names.has(abbr));
    const count = this.#workers.filter(isOurs).length;
    if (count > 0) return count === 1 ? '1 worker' : `${count} workers`;
    const [refusal] = this.#workers.flatMap(({ name, refused }) =>
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
    const isThrough = this.#pending.size === 0;
    for (const pending of [...this.#pending.values()]) {
      pending.reject(new Error('the queue was closed'));
    }
    this.#reader.disconnect();
    await this.#reading;
    if (isThrough) await this.#redis.del(answersKey(this.#options.run)).catch(() => undefined);
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
      const line = new ModelLine({ model, described, queue, run: this.#options.run });
      this.#lines.set(name, line);
      line.opened = line.announce(this.#redis).then(() => this.#takeUnits(line));
      return line;
    });
  }

  async #ask(
    line: ModelLine,
    request: GenerateRequest | LoglikelihoodRequest,
    { signal, stop }: GenerateOptions,
  ): Promise<ModelAnswer> {
    signal.throwIfAborted();
    await line.opened;
    const { model } = line;
    const key = request.key ?? requestKey(encodeRequest(model, request), line.described.identity);
    const early = this.#early.get(key);
    if (early) {
      this.#early.delete(key);
      if (early.result) return early.result;
    }
    if (stop) this.#withdrawOn(stop);
    const unit = this.#expected.get(key);
    const carried = await carry(model, request, key);
    signal.throwIfAborted();
    if (this.#isOver(stop)) throw notSent();
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

  /** Reads answers as they come, as long as the run goes on. */
  async #read(): Promise<void> {
    const stream = answersKey(this.#options.run);
    while (!this.#isClosed) {
      try {
        const found = await this.#reader.xread(
          ...(['COUNT', answersAtOnce, 'BLOCK', 1000, 'STREAMS', stream, this.#lastId] as const),
        );
        for (const [, entries] of found ?? []) this.#take(entries);
      } catch {
        if (this.#isClosed) return;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  #take(entries: readonly (readonly [id: string, fields: string[] | null])[]): void {
    for (const [id, fields] of entries) {
      this.#lastId = id;
      this.#taken.push({ id, at: performance.now() });
      const arrived = readAnswer(fields?.[1] ?? '');
      const pending = arrived && this.#pending.get(arrived.key);
      if (!arrived || !pending) continue;
      if (arrived.result) pending.resolve(arrived.result);
      else pending.reject(arrived.error);
    }
  }

  /** Takes answers that an earlier start did not see. */
  async #takeWaiting(): Promise<void> {
    const entries = await this.#redis.xrange(answersKey(this.#options.run), '-', '+');
    for (const [id, fields] of entries) {
      this.#lastId = id;
      const arrived = readAnswer(fields[1] ?? '');
      if (arrived?.result) this.#early.set(arrived.key, arrived);
    }
  }

  /** Takes up requests of an earlier start that are still in the queue. */
  async #takeUnits(line: ModelLine): Promise<void> {
    for (const { job, keys } of await line.units(['waiting', 'active', 'delayed', 'prioritized'])) {
      for (const key of keys) this.#expected.set(key, job.id ?? '');
    }
  }

  async #forgetTaken(): Promise<void> {
    const until = performance.now() - keptMs;
    const kept = this.#taken.findIndex(({ at }) => at > until);
    const gone = kept === -1 ? this.#taken : this.#taken.slice(0, kept);
    const last = gone.at(-1);
    if (!last) return;
    this.#taken = this.#taken.slice(gone.length);
    const [ms = '0', count = '0'] = last.id.split('-');
    const next = `${ms}-${Number(count) + 1}`;
    await this.#redis.xtrim(answersKey(this.#options.run), 'MINID', next);
  }

  async #lookForWorkers(): Promise<void> {
    const told = await this.#redis.hgetall(workersKey);
    const now = Date.now();
    const states: WorkerState[] = [];
    for (const [id, text] of Object.entries(told)) {
      const state = readWorker(text);
      if (state && now - state.at < workerGoneMs) states.push(state);
      else await this.#redis.hdel(workersKey, id);
    }
    this.#workers = states;
    for (const line of this.#lines.values()) await line.announceAgain(this.#redis);
  }

  /** Splits units that workers were lost with, and sends again what got lost itself. */
  async #lookAfterUnits(): Promise<void> {
    for (const line of this.#lines.values()) {
      for (const { job, requests } of await line.units(['failed'])) {
        await job.remove();
        const waiting = requests.filter(({ key }) => this.#pending.has(key));
        const [only] = waiting;
        if (requests.length === 1 && only) this.#pending.get(only.key)?.reject(poisoned());
        else for (const request of waiting) this.#sendUnit(line, [request]);
      }
    }
    await this.#findLost();
  }

  readonly #missing = new Map<string, number>();

  async #findLost(): Promise<void> {
    const units = new Map<string, Pending[]>();
    for (const pending of this.#pending.values()) {
      const { unit } = pending;
      if (unit !== undefined) units.set(unit, [...(units.get(unit) ?? []), pending]);
    }
    for (const unit of this.#missing.keys()) if (!units.has(unit)) this.#missing.delete(unit);
    const now = performance.now();
    for (const [unit, waiting] of units) {
      const line = waiting[0]?.line;
      if (!line || (await line.has(unit))) {
        this.#missing.delete(unit);
        continue;
      }
      const since = this.#missing.get(unit) ?? now;
      this.#missing.set(unit, since);
      if (now - since < lostAfterMs) continue;
      this.#missing.delete(unit);
      this.#sendUnit(
        line,
        waiting.map(({ carried }) => carried),
      );
    }
  }
}

/** The name of a run in queues, which its folder keeps. */
async function runIn(path: string): Promise<string> {
  const file = join(path, queueFileName);
  await mkdir(path, { recursive: true });
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

function poisoned(): ModelError {
  return new ModelError('queue.poisoned', 'every worker that took this request was lost', {
    retryable: false,
    hint: 'Check the logs of the workers; running out of memory is a common cause.',
  });
}
