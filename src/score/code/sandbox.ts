import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Slots } from '../../base/slots.ts';
import type { Program } from './harness.ts';
import { type ProcessResult, runProcess } from './run-process.ts';

/** What keeps programs apart from the rest of the machine. */
export interface Sandbox {
  /** A command that gives its arguments a network and process numbers of their own, if it works. */
  readonly namespace: readonly string[] | undefined;
  /** Where the shell is that sets limits, if there is one. */
  readonly shell: string | undefined;
}

export interface Limits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export interface SandboxRun {
  readonly interpreter: string;
  readonly program: Program;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

const maxOutput = 1 << 20;
const slots = new Slots(availableParallelism());

let known: Promise<Sandbox> | undefined;

/** Finds out, once, what the machine offers. */
export function probeSandbox(): Promise<Sandbox> {
  known ??= probe();
  return known;
}

async function probe(): Promise<Sandbox> {
  const [shell, unshare, yes] = await Promise.all([
    findExecutable('sh'),
    findExecutable('unshare'),
    findExecutable('true'),
  ]);
  const options = ['--net', '--pid', '--fork', '--kill-child'];
  for (const user of [[], ['--map-root-user']]) {
    if (!unshare || !yes) break;
    const namespace = [unshare, ...user, ...options, '--'];
    if (await works([...namespace, yes])) return { namespace, shell };
  }
  return { namespace: undefined, shell };
}

async function works(command: readonly string[]): Promise<boolean> {
  try {
    const { code, ended } = await runProcess({
      command,
      folder: tmpdir(),
      timeoutMs: 5000,
      maxOutput,
      endsTogether: false,
      signal: new AbortController().signal,
    });
    return code === 0 && ended === 'itself';
  } catch {
    return false;
  }
}

/** Where in the search path a program of this name is. */
export async function findExecutable(
  name: string,
  searchPath = process.env.PATH ?? '',
): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter)) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && isThere) return file;
  }
  return undefined;
}

/**
 * Runs a program in an empty folder of its own, which is gone afterwards, as are its processes. No
 * more programs run at once than the machine has processors.
 */
export function runInSandbox(sandbox: Sandbox, run: SandboxRun): Promise<ProcessResult> {
  return slots.use(async () => {
    run.signal.throwIfAborted();
    const folder = await mkdtemp(join(tmpdir(), 'typecase-check-'));
    try {
      for (const [name, text] of Object.entries(run.program.files)) {
        await writeFile(join(folder, name), text);
      }
      return await runProcess({
        command: commandOf(sandbox, run),
        folder,
        timeoutMs: run.limits.timeoutMs,
        maxOutput,
        endsTogether: sandbox.namespace !== undefined,
        signal: run.signal,
      });
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  });
}

// Units of ulimit: seconds for -t, KiB for -d, blocks of 512 bytes for -f. A limit that the system
// does not know is left out.
const limitedCommand = `ulimit -c 0 2>/dev/null
ulimit -f 65536 2>/dev/null
ulimit -S -t "$1" 2>/dev/null
ulimit -H -t "$(($1 + 1))" 2>/dev/null
ulimit -d "$2" 2>/dev/null
shift 2
"$@"
exit $?`;

function commandOf({ namespace, shell }: Sandbox, run: SandboxRun): readonly string[] {
  const { interpreter, program, limits } = run;
  const command = [interpreter, ...program.args];
  if (!shell) return command;
  const seconds = Math.ceil(limits.timeoutMs / 1000) + 1;
  const kib = (limits.memoryMb + program.interpreterMb) * 1024;
  const limited = [shell, '-c', limitedCommand, 'sh', String(seconds), String(kib), ...command];
  return [...(namespace ?? []), ...limited];
}
