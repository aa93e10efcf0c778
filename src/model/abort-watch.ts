import { setMaxListeners } from 'node:events';

/** Something that is given up when its signal is aborted. */
export interface Abortable {
  abort(reason: unknown): void;
}

/** Requests of one signal; indexes of those that ended are free for others. */
interface Watched {
  readonly requests: (Abortable | undefined)[];
  readonly free: number[];
}

/**
 * Watches signals for many requests at once, with one listener for each signal. In lists with
 * indexes that are used again: a `Set` that many requests pass through keeps dead ones alive for long.
 */
export class AbortWatch {
  readonly #watched = new Map<AbortSignal, Watched>();

  /** Gives the index of the request, by which it is removed. */
  add(signal: AbortSignal, request: Abortable): number {
    const watched = this.#watched.get(signal) ?? this.#watch(signal);
    const index = watched.free.pop() ?? watched.requests.length;
    watched.requests[index] = request;
    return index;
  }

  remove(signal: AbortSignal, index: number): void {
    const watched = this.#watched.get(signal);
    if (!watched) return;
    watched.requests[index] = undefined;
    watched.free.push(index);
    if (watched.free.length < watched.requests.length) return;
    this.#watched.delete(signal);
    signal.removeEventListener('abort', this);
  }

  handleEvent({ target }: Event): void {
    const signal = target as AbortSignal;
    for (const request of [...(this.#watched.get(signal)?.requests ?? [])]) {
      request?.abort(signal.reason);
    }
  }

  #watch(signal: AbortSignal): Watched {
    const watched = { requests: [], free: [] };
    this.#watched.set(signal, watched);
    // Each model that is asked with it listens.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', this);
    return watched;
  }
}
