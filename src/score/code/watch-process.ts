import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Processes, readTree } from './process-tree.ts';

/** The most that a process and all that it starts may take together. */
export interface TreeLimits {
  readonly memoryMb: number;
  readonly processes: number;
  /** Of files in its folder, where the folder itself sets no limit. */
  readonly diskMb?: number | undefined;
}

export type Excess = 'memory' | 'processes' | 'disk';

interface Watched {
  readonly pid: number | undefined;
  readonly folder: string;
  readonly limits: TreeLimits;
  readonly onExcess: (excess: Excess) => void;
}

const watchMs = 50;

/** Looks every 50 ms, on Linux, at what a process takes. When it is stopped it tells which there were. */
export function watchProcess({ pid, folder, limits, onExcess }: Watched): () => Processes {
  let seen: Processes = new Map();
  let isOver = pid === undefined || process.platform !== 'linux';
  const excessOf = async (root: number): Promise<Excess | undefined> => {
    const use = await readTree(root, { seen, limitMb: limits.memoryMb });
    seen = use.processes;
    if (use.memoryMb > limits.memoryMb) return 'memory';
    if (seen.size > limits.processes) return 'processes';
    const isFull = limits.diskMb !== undefined && (await sizeMb(folder)) > limits.diskMb;
    return isFull ? 'disk' : undefined;
  };
  const look = async (root: number) => {
    while (!isOver) {
      // Processes come and go while they are looked at: what is too much is so twice.
      const excess = (await excessOf(root)) && (await excessOf(root));
      if (excess) onExcess(excess);
      await sleep(watchMs, undefined, { ref: false });
    }
  };
  if (pid !== undefined) void look(pid);
  return () => {
    isOver = true;
    return seen;
  };
}

async function sizeMb(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      lstat(join(parentPath, name)).then(
        ({ blocks }) => blocks * 512,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
}
