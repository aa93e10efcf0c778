/** Something that is given up when its signal is aborted. */
export interface Abortable {
  abort(reason: unknown): void;
}

/** Watches signals for many requests at once, with one listener for each signal. */
export class AbortWatch {
  readonly #watched = new Map<AbortSignal, Set<Abortable>>();

  add(signal: AbortSignal, request: Abortable): void {
    const requests = this.#watched.get(signal);
    if (requests) {
      requests.add(request);
      return;
    }
    this.#watched.set(signal, new Set([request]));
    signal.addEventListener('abort', this);
  }

  remove(signal: AbortSignal, request: Abortable): void {
    const requests = this.#watched.get(signal);
    requests?.delete(request);
    if (requests?.size !== 0) return;
    this.#watched.delete(signal);
    signal.removeEventListener('abort', this);
  }

  handleEvent({ target }: Event): void {
    const signal = target as AbortSignal;
    for (const request of [...(this.#watched.get(signal) ?? [])]) request.abort(signal.reason);
  }
}
