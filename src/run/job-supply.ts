import { groupTasks } from './group-tasks.ts';
import { type Job, makeJobs, mixJobs } from './job.ts';
import { nextTurn } from './next-turn.ts';
import type { TaskRun } from './task-run.ts';

/** The jobs of all tasks, one task after the other but for those that take turns. */
export async function* jobsOfAll(tasks: readonly TaskRun[]): AsyncGenerator<Job[]> {
  for (const group of groupTasks(tasks)) {
    const [only] = group;
    yield* only && group.length === 1 ? makeJobs(only) : mixJobs(group);
  }
}

/** How many jobs are kept ready. */
const lowWater = 64;

export interface SupplyEvents {
  /** More jobs are ready, or there will be no more. */
  readonly more: () => void;
  readonly failed: (error: unknown) => void;
}

/** Jobs that are ready to be sent; more are made when few are left. */
export class JobSupply {
  readonly #producer: AsyncGenerator<Job[]>;
  readonly #events: SupplyEvents;
  /** The next job is the last one: taken jobs are let go of at once. */
  #ready: Job[] = [];
  #isProducing = false;
  #isExhausted = false;
  #isClosed = false;

  constructor(producer: AsyncGenerator<Job[]>, events: SupplyEvents) {
    this.#producer = producer;
    this.#events = events;
  }

  /** Lets go of the files that jobs are made of: no more are wanted. */
  close(): void {
    this.#isClosed = true;
    this.#producer.return(undefined).catch(() => undefined);
  }

  /** Whether all jobs were made. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Whether all jobs were made and taken. */
  get isSpent(): boolean {
    return this.#isExhausted && this.#ready.length === 0;
  }

  take(): Job | undefined {
    return this.#ready.pop();
  }

  /** Puts jobs before all others, the first of them first. */
  putFirst(jobs: readonly Job[]): void {
    for (let place = jobs.length - 1; place >= 0; place--) this.#ready.push(jobs[place] as Job);
  }

  /** Has more jobs made if few are left. */
  refill(): void {
    if (this.#isExhausted || this.#isProducing || this.#ready.length >= lowWater) return;
    this.#isProducing = true;
    // What is ready is sent first: the server works on it while more is made.
    const turn = this.#ready.length > 0 ? nextTurn() : Promise.resolve();
    turn
      .then(() => this.#producer.next())
      .then(({ value, done }) => {
        this.#isProducing = false;
        if (this.#isClosed) return;
        if (done) this.#isExhausted = true;
        else {
          value.reverse().push(...this.#ready);
          this.#ready = value;
        }
        this.#events.more();
      }, this.#events.failed);
  }
}
