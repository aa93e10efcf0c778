import { AbortWatch } from '../../model/abort-watch.ts';

interface Waiting {
  readonly start: () => void;
}

/** Lets only so many answers be computed at once. Clients that wait take turns, however much each of them waits for. */
export class FairQueue {
  #free: number;
  /** By client; the one whose turn it is stands first. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #aborts = new AbortWatch();

  constructor(count: number) {
    this.#free = count;
  }

  /** How many clients wait. */
  get clients(): number {
    return this.#waiting.size;
  }

  async use<Result>(
    { client, signal }: { readonly client: string; readonly signal: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(client, signal);
    try {
      return await work();
    } finally {
      this.#free += 1;
      this.#advance();
    }
  }

  #turn(client: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const index = this.#aborts.add(signal, {
        abort: (reason) => {
          this.#aborts.remove(signal, index);
          this.#forget(client, waiting);
          reject(reason);
        },
      });
      const waiting: Waiting = {
        start: () => {
          this.#aborts.remove(signal, index);
          resolve();
        },
      };
      const others = this.#waiting.get(client);
      if (others) others.push(waiting);
      else this.#waiting.set(client, [waiting]);
    });
  }

  #advance(): void {
    const [turn] = this.#waiting;
    if (!turn || this.#free === 0) return;
    const [client, waiting] = turn;
    this.#waiting.delete(client);
    const next = waiting.shift();
    if (waiting.length > 0) this.#waiting.set(client, waiting);
    this.#free -= 1;
    next?.start();
  }

  #forget(client: string, gone: Waiting): void {
    const left = this.#waiting.get(client)?.filter((waiting) => waiting !== gone) ?? [];
    if (left.length > 0) this.#waiting.set(client, left);
    else this.#waiting.delete(client);
  }
}
