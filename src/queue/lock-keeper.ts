import { parentPort, workerData } from 'node:worker_threads';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { lockMs, prefix, workerConnection } from './names.ts';
import { openRedis } from './redis.ts';

const reachAgainMs = 500;

/** What a thread is told that keeps the locks of a worker's units. */
export interface KeeperData {
  readonly queue: string;
  readonly token: string;
}

/** A unit that the worker took, or is through with. */
export interface KeeperMessage {
  readonly name: string;
  readonly unit: string;
  readonly isTaken: boolean;
}

/**
 * Renews locks in a thread of its own: a process that computes for long is not taken for dead, and one that is dead has
 * no threads.
 */
async function keepLocks({ queue, token }: KeeperData): Promise<void> {
  const units = new Map<string, Set<string>>();
  const workers = new Map<string, Worker>();
  const connection = await reachRedis(queue, workerConnection(token));
  const workerOf = (name: string) => {
    const known = workers.get(name);
    if (known) return known;
    const worker = new Worker(name, null, { connection, prefix, skipVersionCheck: true });
    worker.on('error', () => undefined);
    workers.set(name, worker);
    return worker;
  };
  parentPort?.on('message', ({ name, unit, isTaken }: KeeperMessage) => {
    const own = units.get(name) ?? new Set();
    units.set(name, own);
    if (isTaken) own.add(unit);
    else own.delete(unit);
  });
  setInterval(async () => {
    for (const [name, own] of units) {
      const ids = [...own];
      if (ids.length === 0) continue;
      const tokens = ids.map(() => token);
      // The connection comes back by itself.
      await workerOf(name)
        .extendJobLocks(ids, tokens, lockMs)
        .catch(() => undefined);
    }
  }, lockMs / 4);
}

/** The worker has reached the server before: it is away for a moment if it is. */
async function reachRedis(address: string, name: string): Promise<Redis> {
  for (;;) {
    try {
      return await openRedis(address, { name });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, reachAgainMs));
    }
  }
}

await keepLocks(workerData as KeeperData);
