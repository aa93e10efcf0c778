import type { Job } from './job.ts';

interface Retry {
  readonly job: Job;
  readonly dueAt: number;
}

/** Jobs that wait for their next attempt, the one that is due first in front. */
export class RetryQueue {
  readonly #retries: Retry[] = [];

  get size(): number {
    return this.#retries.length;
  }

  /** When the next one is due. */
  get dueAt(): number {
    return this.#retries[0]?.dueAt ?? Number.POSITIVE_INFINITY;
  }

  add(job: Job, dueAt: number): void {
    const later = this.#retries.findIndex((retry) => retry.dueAt > dueAt);
    this.#retries.splice(later < 0 ? this.#retries.length : later, 0, { job, dueAt });
  }

  takeDue(now: number): Job | undefined {
    return this.dueAt <= now ? this.#retries.shift()?.job : undefined;
  }
}
