import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cli, root } from './build-cli.ts';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Closes the pipe after the first output, as `head` does. */
  readonly stopReading?: boolean;
}

/** Runs the real command, by default in the folder of the project. */
export function runCli(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { cwd = root, env = {}, stopReading = false } = options;
  const { NO_COLOR: _, FORCE_COLOR: __, TYPECASE_DEBUG: ___, CI: ____, ...inherited } = process.env;
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { ...inherited, COLUMNS: '80', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      if (stopReading && name === 'stdout') child.stdout.destroy();
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
  });
}

/** A folder with these files, for as long as the test runs. */
export async function writeFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-view-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}
