import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Model } from '../model/model.ts';
import { modelsKey, workerGoneMs } from './names.ts';
import type { QueuedModel } from './queued-model.ts';
import { UnitBatch } from './unit-batch.ts';
import { type CarriedRequest, readUnit } from './wire.ts';

interface LineParts {
  readonly model: Model;
  readonly described: Omit<QueuedModel, 'at'>;
  readonly queue: Queue;
  readonly run: string;
}

type UnitStates = Parameters<Queue['getJobs']>[0];

/** The queue of one model. */
export class ModelLine {
  readonly model: Model;
  readonly described: Omit<QueuedModel, 'at'>;
  readonly batch: UnitBatch;
  opened: Promise<void> = Promise.resolve();
  readonly #queue: Queue;
  readonly #run: string;
  #announcedAt = 0;

  constructor({ model, described, queue, run }: LineParts) {
    this.model = model;
    this.described = described;
    this.#queue = queue;
    this.#run = run;
    this.batch = new UnitBatch();
  }

  get abbr(): string {
    return this.described.abbr;
  }

  async announce(redis: Redis): Promise<void> {
    this.#announcedAt = Date.now();
    const told: QueuedModel = { ...this.described, at: this.#announcedAt };
    await redis.hset(modelsKey, this.#queue.name, JSON.stringify(told));
  }

  async announceAgain(redis: Redis): Promise<void> {
    if (Date.now() - this.#announcedAt > workerGoneMs) await this.announce(redis);
  }

  async send(unit: string, requests: readonly CarriedRequest[]): Promise<void> {
    await this.#queue.add(
      'ask',
      { run: this.#run, requests },
      { jobId: unit, removeOnComplete: true, removeOnFail: false },
    );
  }

  async has(unit: string): Promise<boolean> {
    return (await this.#queue.getJob(unit)) !== undefined;
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
    await this.#queue.close();
  }
}
