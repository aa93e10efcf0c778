import { ModelError } from '../errors.ts';
import { type Abortable, AbortWatch } from '../model/abort-watch.ts';
import { endFailed, Pacer, type PacerOptions } from './pacer.ts';

interface Waiting extends Abortable {
  readonly start: () => void;
}

const longestTimerMs = 60_000;

/** Requests that wait until the pace of a model lets them start, first come first served. */
export class PacedLine {
  readonly #pacer: Pacer;
  readonly #watch = new AbortWatch();
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(pace: PacerOptions) {
    this.#pacer = new Pacer(pace);
  }

  /** Waits for its turn, then sends. What became of it decides when the next ones start. */
  async send<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#turn(signal);
    try {
      const result = await work();
      this.#pacer.succeed();
      return result;
    } catch (error) {
      endFailed(this.#pacer, error instanceof ModelError ? error : undefined, performance.now());
      throw error;
    } finally {
      this.#advance();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        start: () => {
          this.#watch.remove(signal, index);
          resolve();
        },
        abort: (reason) => {
          this.#watch.remove(signal, index);
          this.#waiting = this.#waiting.filter((one) => one !== waiting);
          reject(reason);
        },
      };
      const index = this.#watch.add(signal, waiting);
      this.#waiting.push(waiting);
      this.#advance();
    });
  }

  #advance(): void {
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0 && this.#pacer.hasRoom) {
      const now = performance.now();
      const delay = this.#pacer.delayMs(now);
      if (delay > 0) {
        this.#timer = setTimeout(() => this.#advance(), Math.min(Math.ceil(delay), longestTimerMs));
        return;
      }
      this.#pacer.start(now);
      this.#waiting.shift()?.start();
    }
  }
}
