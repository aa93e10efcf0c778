import type { ModelError } from '../errors.ts';
import { isOverload } from './hopeless.ts';

export interface PacerOptions {
  /** The most requests that may be in flight at once; it may change. */
  readonly maxConcurrency: number | (() => number);
  /** Starts with as many at once as may be in flight. */
  readonly isEager?: boolean | undefined;
  /** Maximum requests per second; no limit by default. */
  readonly requestsPerSecond?: number | undefined;
}

const startConcurrency = 16;
const throttleWindowMs = 250;
const mostPatience = 32;

/**
 * Decides when the next request may start. The number in flight doubles with every round while all
 * goes well, grows slowly once there was trouble, and halves when the server is overloaded. What a
 * server refuses beyond a number shows that number; whether it takes more is tried ever more rarely.
 */
export class Pacer {
  readonly #most: () => number;
  readonly #interval: number;
  #limit: number;
  #inFlight = 0;
  #doubling = true;
  #pausedUntil = 0;
  #lastThrottle = Number.NEGATIVE_INFINITY;
  #nextStart = 0;
  /** The limit before the requests that failed together last. */
  #limitBefore = 0;
  /** In how many rounds the limit grows by one, once there was trouble. */
  #patience = 1;
  /** Whether the limit has grown since the server refused a request. */
  #isTrying = false;

  constructor({ maxConcurrency, requestsPerSecond, isEager }: PacerOptions) {
    this.#most = typeof maxConcurrency === 'number' ? () => maxConcurrency : maxConcurrency;
    this.#limit = isEager ? this.#most() : Math.min(startConcurrency, this.#most());
    this.#interval = requestsPerSecond === undefined ? 0 : 1000 / requestsPerSecond;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many requests may be in flight now. */
  get limit(): number {
    return Math.floor(Math.min(this.#limit, this.#most()));
  }

  get hasRoom(): boolean {
    return this.#inFlight < this.limit;
  }

  /** Milliseconds until a request may start, if there is room for one; 0 means now. */
  delayMs(now: number): number {
    return Math.max(0, this.#pausedUntil - now, this.#nextStart - now);
  }

  start(now: number): void {
    this.#inFlight++;
    if (this.#interval > 0) this.#nextStart = Math.max(this.#nextStart, now) + this.#interval;
  }

  /** A further request of one that is in flight. Gives how long it has to wait. */
  startFurther(now: number): number {
    const delay = this.delayMs(now);
    if (this.#interval > 0) this.#nextStart = Math.max(this.#nextStart, now) + this.#interval;
    return delay;
  }

  /** A request ended, and the server was well. */
  succeed(): void {
    this.#inFlight--;
    const most = this.#most();
    if (this.#limit >= most) return;
    const limit = this.#limit;
    this.#limit = Math.min(most, limit + (this.#doubling ? 1 : 1 / (limit * this.#patience)));
    if (this.#doubling || Math.floor(this.#limit) === Math.floor(limit)) return;
    if (this.#isTrying) this.#patience = Math.max(1, this.#patience / 2);
    this.#isTrying = true;
  }

  /** A request ended for reasons that say nothing about the server's load. */
  release(): void {
    this.#inFlight--;
  }

  /** The server could not keep up; requests that failed together count once. */
  throttle(now: number, retryAfterMs = 0): void {
    if (this.#isFirstFailure(now, retryAfterMs)) this.#limit = Math.max(1, this.#limit / 2);
  }

  /**
   * The server takes no more requests at once. Those that are left when the last refusal has come
   * are what it takes; if none is, nothing is known of that.
   */
  refuse(now: number, retryAfterMs = 0): void {
    if (this.#isFirstFailure(now, retryAfterMs)) this.#limitBefore = this.#limit;
    if (this.#isTrying) this.#patience = Math.min(mostPatience, this.#patience * 2);
    this.#isTrying = false;
    this.#limit =
      this.#inFlight > 0
        ? Math.min(this.#limit, this.#inFlight)
        : Math.max(1, this.#limitBefore / 2);
  }

  /** Ends a request that failed. Whether it is the first of those that fail together. */
  #isFirstFailure(now: number, retryAfterMs: number): boolean {
    this.#inFlight--;
    this.#doubling = false;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + retryAfterMs);
    if (now - this.#lastThrottle < throttleWindowMs) return false;
    this.#lastThrottle = now;
    return true;
  }
}

/** Ends a request that failed, by what the failure says of the server's load. */
export function endFailed(pacer: Pacer, problem: ModelError | undefined, now: number): void {
  if (!problem || !isOverload(problem)) pacer.release();
  else if (problem.status === 429) pacer.refuse(now, problem.retryAfterMs);
  else pacer.throttle(now, problem.retryAfterMs);
}
