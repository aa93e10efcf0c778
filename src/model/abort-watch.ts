import { setMaxListeners } from 'node:events';

/** Something that is given up when its signal is aborted. */
export interface Abortable {
  abort(reason: unknown): void;
}

/**
 * Things that come and go, each by its index, and indexes that are used again. A `Set` or `Map` that
 * many requests pass through keeps dead ones alive for long.
 */
export class Indexed<Thing> {
  readonly #things: (Thing | undefined)[] = [];
  readonly #free: number[] = [];

  get isEmpty(): boolean {
    return this.#free.length === this.#things.length;
  }

  /** Gives the index by which it is removed. */
  add(thing: Thing): number {
    const index = this.#free.pop() ?? this.#things.length;
    this.#things[index] = thing;
    return index;
  }

  remove(index: number): void {
    this.#things[index] = undefined;
    this.#free.push(index);
  }

  /** All that are there, in no order. */
  get all(): Thing[] {
    return this.#things.filter((thing) => thing !== undefined);
  }
}

/** Watches signals for many requests at once, with one listener for each signal. */
export class AbortWatch {
  readonly #watched = new Map<AbortSignal, Indexed<Abortable>>();

  /** Gives the index of the request, by which it is removed. */
  add(signal: AbortSignal, request: Abortable): number {
    return (this.#watched.get(signal) ?? this.#watch(signal)).add(request);
  }

  remove(signal: AbortSignal, index: number): void {
    const watched = this.#watched.get(signal);
    if (!watched) return;
    watched.remove(index);
    if (!watched.isEmpty) return;
    this.#watched.delete(signal);
    signal.removeEventListener('abort', this);
  }

  handleEvent({ target }: Event): void {
    const signal = target as AbortSignal;
    for (const request of this.#watched.get(signal)?.all ?? []) request.abort(signal.reason);
  }

  #watch(signal: AbortSignal): Indexed<Abortable> {
    const watched = new Indexed<Abortable>();
    this.#watched.set(signal, watched);
    // Each model that is asked with it listens.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', this);
    return watched;
  }
}

/** Something that is given up when it takes too long. */
export interface Timed {
  readonly startedAt: number;
  expire(): void;
}

/** A timer for longer would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** A time limit for each of many requests, with one timer for all of them. */
export class TimeLimit {
  readonly ms: number;
  readonly #running = new Indexed<Timed>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.ms = ms;
  }

  /** Takes the time of a request that started just now; gives the index by which it is let go. */
  start(request: Timed): number {
    this.#timer ??= this.#wakeIn(this.ms);
    if (this.#running.isEmpty) this.#timer.ref();
    return this.#running.add(request);
  }

  end(index: number): void {
    this.#running.remove(index);
    // Whoever waits for an answer waits until its limit; nobody waits for the timer alone.
    if (this.#running.isEmpty) this.#timer?.unref();
  }

  #wakeIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), Math.min(Math.ceil(ms), longestTimerMs));
  }

  #expire(): void {
    this.#timer = undefined;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const request of this.#running.all) {
      const left = request.startedAt + this.ms - now;
      if (left <= 0) request.expire();
      else next = Math.min(next, left);
    }
    if (next < Number.POSITIVE_INFINITY) this.#timer ??= this.#wakeIn(next);
  }
}
