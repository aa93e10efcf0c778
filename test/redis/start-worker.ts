import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cli } from '../integration/build-cli.ts';

export interface WorkerSettings {
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface StartedWorker {
  readonly child: ChildProcess;
  /** What it said so far. */
  readonly output: () => string;
  readonly kill: () => Promise<void>;
}

/** Starts `typecase worker` at an address, and waits until it is there. */
export async function startWorker(
  { address }: { readonly address: string },
  { args = [], cwd, env = {} }: WorkerSettings = {},
): Promise<StartedWorker> {
  const child = spawn(process.execPath, [cli, 'worker', '--queue', address, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
  }
  while (!text.includes('Worker ') && child.exitCode === null) await sleep(10);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { child, output: () => text, kill };
}
