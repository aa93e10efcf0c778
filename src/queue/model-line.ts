import { setTimeout as wait } from 'node:timers/promises';
import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Model } from '../model/model.ts';
import { modelsKey, workerGoneMs } from './names.ts';
import type { QueuedModel } from './queued-model.ts';
import { serverTime } from './redis.ts';
import { UnitBatch } from './unit-batch.ts';
import { type CarriedRequest, readUnit } from './wire.ts';

interface LineParts {
  readonly model: Model;
  readonly described: Omit<QueuedModel, 'at'>;
  readonly queue: Queue;
  readonly redis: Redis;
  readonly run: string;
}

/** Takes the locks off the units that a worker holds, and has them looked at. */
const releaseScript = `
for _, unit in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local lock = ARGV[1] .. unit .. ':lock'
  if redis.call('GET', lock) == ARGV[2] then
    redis.call('DEL', lock)
    redis.call('SADD', KEYS[2], unit)
  end
end`;

/** Takes an announcement back, unless another run made one since, or units are left; nothing of the queue stays. */
const withdrawScript = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return end
for _, list in ipairs({'wait', 'active', 'paused'}) do
  if redis.call('LLEN', ARGV[3] .. list) > 0 then return 'left' end
end
for _, set in ipairs({'delayed', 'prioritized', 'failed'}) do
  if redis.call('ZCARD', ARGV[3] .. set) > 0 then return 'left' end
end
redis.call('HDEL', KEYS[1], ARGV[1])
for _, rest in ipairs({'meta', 'id', 'events', 'marker', 'stalled', 'stalled-check'}) do
  redis.call('DEL', ARGV[3] .. rest)
end`;

const endLooks = 10;
const endLookMs = 50;

type UnitStates = Parameters<Queue['getJobs']>[0];

/** The queue of one model. */
export class ModelLine {
  readonly model: Model;
  readonly described: Omit<QueuedModel, 'at'>;
  readonly batch: UnitBatch;
  opened: Promise<void> = Promise.resolve();
  readonly #queue: Queue;
  readonly #redis: Redis;
  readonly #run: string;
  #announcedAt = 0;
  #told = '';

  constructor({ model, described, queue, redis, run }: LineParts) {
    this.model = model;
    this.described = described;
    this.#queue = queue;
    this.#redis = redis;
    this.#run = run;
    this.batch = new UnitBatch();
  }

  get abbr(): string {
    return this.described.abbr;
  }

  async announce(): Promise<void> {
    this.#announcedAt = Date.now();
    const told: QueuedModel = { ...this.described, at: await serverTime(this.#redis) };
    this.#told = JSON.stringify(told);
    await this.#redis.hset(modelsKey, this.#queue.name, this.#told);
  }

  async announceAgain(): Promise<void> {
    if (Date.now() - this.#announcedAt > workerGoneMs) await this.announce();
  }

  async send(unit: string, requests: readonly CarriedRequest[]): Promise<void> {
    await this.#queue.add(
      'ask',
      { run: this.#run, requests },
      { jobId: unit, removeOnComplete: true, removeOnFail: false },
    );
  }

  /** Those of some units that are not in the queue. */
  async missing(units: readonly string[]): Promise<ReadonlySet<string>> {
    const pipeline = this.#redis.pipeline();
    for (const unit of units) pipeline.exists(this.#queue.toKey(unit));
    const found = (await pipeline.exec()) ?? [];
    return new Set(units.filter((_, index) => found[index]?.[1] === 0));
  }

  async countWaiting(): Promise<number> {
    return this.#queue.getWaitingCount();
  }

  /** Has the units of a lost worker taken over with the next check of locks. */
  async release(worker: string): Promise<void> {
    const keys = [this.#queue.toKey('active'), this.#queue.toKey('stalled')];
    await this.#redis.eval(releaseScript, keys.length, ...keys, this.#queue.toKey(''), worker);
  }

  /** The units of the run that are in some states. */
  async units(states: UnitStates) {
    const jobs: Job[] = await this.#queue.getJobs(states);
    return jobs.flatMap((job) => {
      const unit = readUnit(job?.data);
      if (unit?.run !== this.#run) return [];
      return [{ job, requests: unit.requests, keys: unit.requests.map(({ key }) => key) }];
    });
  }

  async close(): Promise<void> {
    this.batch.clear();
    // The last worker may not have said yet that it is through. What stays is forgotten by workers.
    for (let look = 0; look < endLooks; look++) {
      const told = [this.#queue.name, this.#told, this.#queue.toKey('')];
      const said = await this.#redis.eval(withdrawScript, 1, modelsKey, ...told).catch(() => '');
      if (said !== 'left') break;
      await wait(endLookMs);
    }
    await this.#queue.close();
  }
}
