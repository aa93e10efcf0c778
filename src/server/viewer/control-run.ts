import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { lockOwner } from '../../run/store/lock.ts';
import type { StoredRun } from '../../run/store/open-run.ts';
import { Refusal } from './refusal.ts';

/** Lets a run finish what is in flight, as Ctrl-C does. */
export async function stopRun({ path }: StoredRun): Promise<void> {
  const owner = await lockOwner(path);
  if (!owner) throw new Refusal(409, 'serve.not_running', 'no process is writing to this run');
  if (owner.pid === undefined) {
    throw new Refusal(409, 'serve.not_here', `it runs elsewhere: process ${owner.text}`);
  }
  process.kill(owner.pid, 'SIGINT');
}

/** Options of a run that are switches. */
const switches = new Set(['completions']);

/** Starts the command of a run again, in the folder where it was started. */
export async function resumeRun({ path, file }: StoredRun): Promise<void> {
  if (await lockOwner(path)) {
    throw new Refusal(409, 'serve.running', 'a process is already writing to this run');
  }
  const { source, ...settings } = file.settings;
  const [, cli] = process.argv;
  if (source === undefined || cli === undefined || file.command !== 'run') {
    throw new Refusal(409, 'serve.no_command', 'run.json does not say how the run was started');
  }
  const child = spawn(
    process.execPath,
    [...process.execArgv, cli, 'run', source, ...optionsOf(settings), '--out', path],
    {
      cwd: file.folder ?? resolve(path, file.folderFromRun ?? '.'),
      stdio: 'ignore',
      detached: true,
    },
  );
  await new Promise<void>((started, failed) => {
    child.once('error', failed);
    child.once('spawn', () => started());
  });
  child.unref();
}

/** Settings of a run as words of a command line. */
export function optionsOf(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => optionOf(name, value));
}

function optionOf(name: string, value: unknown): string[] {
  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (switches.has(name)) return value === true ? [option] : [];
  // On a command line, `\n` in a template is a line break.
  if (name === 'template') return [option, String(value).replaceAll('\\', '\\\\')];
  if (Array.isArray(value)) return [option, value.join(',')];
  return value === undefined || typeof value === 'object' ? [] : [option, String(value)];
}
