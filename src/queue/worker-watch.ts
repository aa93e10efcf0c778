import type { Redis } from 'ioredis';
import { workerConnection, workerGoneMs, workerSilentMs, workersKey } from './names.ts';
import { readWorker, type WorkerState } from './worker-state.ts';

interface Heard {
  readonly text: string;
  readonly at: number;
}

/** Knows the workers at a server, by what they say, and notices soon when one is lost. */
export class WorkerWatch {
  readonly #redis: Redis;
  readonly #heard = new Map<string, Heard>();
  #states: readonly WorkerState[] = [];

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Those that are there. */
  get workers(): readonly WorkerState[] {
    return this.#states;
  }

  /** Looks who is there. Gives the ids of those that are lost since the last time. */
  async look(): Promise<readonly string[]> {
    const told = await this.#redis.hgetall(workersKey);
    const now = performance.now();
    for (const [id, text] of Object.entries(told)) {
      if (this.#heard.get(id)?.text !== text) this.#heard.set(id, { text, at: now });
    }
    const lost = await this.#findLost(told, now);
    for (const id of lost) this.#heard.delete(id);
    if (lost.length > 0) await this.#redis.hdel(workersKey, ...lost);
    this.#states = [...this.#heard.values()].flatMap(({ text }) => readWorker(text) ?? []);
    return lost;
  }

  /** A worker that says nothing and whose connection is gone is lost; one that only says nothing may be computing. */
  async #findLost(told: Readonly<Record<string, string>>, now: number): Promise<string[]> {
    const silent = [...this.#heard].filter(
      ([id, { at }]) => told[id] === undefined || now - at > workerSilentMs,
    );
    if (silent.length === 0) return [];
    const connected = await this.#connectedWorkers();
    return silent
      .filter(
        ([id, { at }]) =>
          told[id] === undefined ||
          now - at > workerGoneMs ||
          (connected !== undefined && !connected.has(workerConnection(id))),
      )
      .map(([id]) => id);
  }

  /** The names of all connections; a user of the server may not be allowed to see them. */
  async #connectedWorkers(): Promise<ReadonlySet<string> | undefined> {
    try {
      const list = String(await this.#redis.client('LIST'));
      return new Set([...list.matchAll(/ name=(\S+)/g)].map(([, name = '']) => name));
    } catch {
      return undefined;
    }
  }
}
