import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { stillThere } from './process-tree.ts';
import { type Excess, type TreeLimits, watchProcess } from './watch-process.ts';

export interface ProcessSettings {
  readonly command: readonly string[];
  readonly folder: string;
  /** What it reads from its input. */
  readonly input: string;
  readonly timeoutMs: number;
  readonly limits: TreeLimits;
  /** Bytes of output after which the process is ended. */
  readonly maxOutput: number;
  /** Whether the processes of the command end with it by themselves. */
  readonly endsTogether: boolean;
  readonly signal: AbortSignal;
}

export interface ProcessResult {
  /** The exit code, or 128 and the number of the signal that ended it. */
  readonly code: number;
  readonly output: string;
  /** What was written to file descriptor 3. */
  readonly report: string;
  readonly ended: 'itself' | 'time' | 'output' | Excess;
}

const { signals } = constants;
const marker = 'TYPECASE_CHECK';

/** Runs a command in an empty environment. When it returns, none of its processes is left. */
export async function runProcess(settings: ProcessSettings): Promise<ProcessResult> {
  const { command, folder, input, timeoutMs, limits, maxOutput, endsTogether, signal } = settings;
  signal.throwIfAborted();
  const id = randomUUID();
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd: folder,
    env: { [marker]: id },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.on('error', () => undefined).end(input);
  let ended: ProcessResult['ended'] = 'itself';
  const end = (reason: typeof ended) => {
    if (ended === 'itself') ended = reason;
    killGroup(child);
  };
  const stop = () => killGroup(child);
  // As many wait for it as there are processors, which may be more than Node expects.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', stop);
  const timer = setTimeout(end, timeoutMs, 'time');
  const stopWatching = watchProcess({ pid: child.pid, folder, limits, onExcess: end });
  const [output, report] = [
    collect([child.stdio[1], child.stdio[2]], maxOutput, () => end('output')),
    collect([child.stdio[3]], maxOutput, () => end('output')),
  ];
  try {
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const code = await exitCode(child);
    killGroup(child);
    if (!endsTogether) {
      for (const pid of await stillThere(stopWatching())) kill(pid);
      await killMarked(id);
    }
    await Promise.race([closed, sleep(1000, undefined, { ref: false })]);
    signal.throwIfAborted();
    return { code, output: output(), report: report(), ended };
  } finally {
    clearTimeout(timer);
    stopWatching();
    signal.removeEventListener('abort', stop);
    for (const stream of child.stdio) stream?.destroy();
  }
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, name) => resolve(code ?? 128 + (name ? signals[name] : 0)));
  });
}

/** Ends the process and all that it started, but for those that left its group. */
function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) kill(-pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It is gone; some systems say of a dead group that it may not be killed.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Ends the processes that left the group: their environment still tells where they come from. */
async function killMarked(id: string): Promise<void> {
  const entries = await readdir('/proc').catch(() => []);
  const isOurs = async (pid: string) =>
    (await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')).includes(`${marker}=${id}`);
  for (const pid of entries.filter((name) => /^\d+$/.test(name))) {
    if (await isOurs(pid)) kill(Number(pid));
  }
}

type Stream = ChildProcess['stdio'][number] | null | undefined;

function collect(streams: readonly Stream[], limit: number, onLimit: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (const stream of streams) {
    stream?.on('error', () => undefined);
    stream?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else onLimit();
    });
  }
  return () => Buffer.concat(chunks).toString();
}
