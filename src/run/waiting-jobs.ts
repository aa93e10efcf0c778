import type { RunJob } from './evaluation-run.ts';

interface Retry {
  readonly job: RunJob;
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

  add(job: RunJob, dueAt: number): void {
    const later = this.#retries.findIndex((retry) => retry.dueAt > dueAt);
    this.#retries.splice(later < 0 ? this.#retries.length : later, 0, { job, dueAt });
  }

  takeDue(now: number): RunJob | undefined {
    return this.dueAt <= now ? this.#retries.shift()?.job : undefined;
  }
}

/** Requests in flight by key, each with the jobs that wait for the same answer. */
export class SharedRequests {
  readonly #waiting = new Map<string, RunJob[]>();
  #size = 0;

  /** How many jobs wait for the answer to another's request. */
  get size(): number {
    return this.#size;
  }

  /** Has a job wait if the same is being asked. */
  join(job: RunJob): boolean {
    const waiting = this.#waiting.get(job.key);
    if (!waiting) return false;
    waiting.push(job);
    this.#size++;
    return true;
  }

  start({ key }: RunJob): void {
    this.#waiting.set(key, []);
  }

  /** Ends a request, and gives the jobs that wait for its answer. */
  end({ key }: RunJob): readonly RunJob[] {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    this.#size -= waiting.length;
    return waiting;
  }
}
