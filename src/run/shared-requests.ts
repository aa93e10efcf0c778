import type { Job } from './job.ts';

/** Requests in flight by key, each with the jobs that wait for the same answer. */
export class SharedRequests {
  readonly #waiting = new Map<string, Job[]>();
  #size = 0;

  /** How many jobs wait for the answer to another's request. */
  get size(): number {
    return this.#size;
  }

  /** Has a job wait if the same is being asked. */
  join(job: Job): boolean {
    const waiting = this.#waiting.get(job.key);
    if (!waiting) return false;
    waiting.push(job);
    this.#size++;
    return true;
  }

  start({ key }: Job): void {
    this.#waiting.set(key, []);
  }

  /** Ends a request, and gives the jobs that wait for its answer. */
  end({ key }: Job): readonly Job[] {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    this.#size -= waiting.length;
    return waiting;
  }
}
