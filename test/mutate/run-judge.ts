import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Ended {
  readonly isKilled: boolean;
  readonly code: number | null;
  readonly output: string;
}

export interface JudgeOptions {
  readonly copy: string;
  /** What is given to the judge in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The most seconds of CPU time: a busy machine judges as a quiet one. */
  readonly cpuSeconds: number;
}

/** Runs tests of a copy in a process of their own. */
export function runJudge(args: readonly string[], options: JudgeOptions): Promise<Ended> {
  const { copy, env, cpuSeconds } = options;
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const command = [process.execPath, vitest, 'run', '--config', 'vitest.mutate.config.ts', ...args];
  const limited = ['-c', `ulimit -t ${Math.ceil(cpuSeconds)}; exec "$@"`, 'sh', ...command];
  const child = spawn('sh', limited, {
    cwd: copy,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
  }
  return new Promise((resolve) => {
    let isKilled = false;
    // What waits for ever takes no CPU time.
    const timer = setTimeout(() => {
      isKilled = true;
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    }, cpuSeconds * 20_000);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ isKilled, code, output: plain(output) });
    });
  });
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours a terminal
  return text.replaceAll(/\x1b\[[\d;]*m/g, '');
}
