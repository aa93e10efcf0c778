import type { EvaluationRun, RunJob } from './evaluation-run.ts';
import { makeJobs, mixJobs, sizeOf, windowCharacters } from './job.ts';
import { groupTurns } from './stored-evaluation.ts';

/** The jobs of all evaluations, one after the other but for those that take turns. */
export async function* jobsOfAll(runs: readonly EvaluationRun[]): AsyncGenerator<RunJob[]> {
  for (const group of groupTurns(runs, ({ stored }) => stored)) {
    const [only] = group;
    yield* only && group.length === 1 ? makeJobs(only) : mixJobs(group);
  }
}

/** How many jobs are kept ready, unless they are long. */
const lowWater = 32;
const fewest = 4;

export interface SupplyEvents {
  /** More jobs are ready, or there will be no more. */
  readonly more: () => void;
  readonly failed: (error: unknown) => void;
}

/** Jobs that are ready to be sent; more are made when few are left. */
export class JobSupply {
  readonly #producer: AsyncGenerator<RunJob[]>;
  readonly #events: SupplyEvents;
  /** The next job is the last one: taken jobs are let go of at once. */
  #ready: RunJob[] = [];
  #isProducing = false;
  #isExhausted = false;
  #isClosed = false;

  constructor(producer: AsyncGenerator<RunJob[]>, events: SupplyEvents) {
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

  take(): RunJob | undefined {
    return this.#ready.pop();
  }

  /** Puts jobs before all others, the first of them first. */
  putFirst(jobs: readonly RunJob[]): void {
    for (let index = jobs.length - 1; index >= 0; index--) this.#ready.push(jobs[index] as RunJob);
  }

  /** What waits is kept alive, and long requests are dear to keep. */
  get #hasEnough(): boolean {
    const { length } = this.#ready;
    const [last] = this.#ready;
    return (
      length >= lowWater ||
      (last !== undefined && length >= fewest && length * sizeOf(last) >= windowCharacters)
    );
  }

  /** Has more jobs made if few are left. */
  refill(): void {
    if (this.#isExhausted || this.#isProducing || this.#hasEnough) return;
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

/** The turn of the event loop after this one. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
