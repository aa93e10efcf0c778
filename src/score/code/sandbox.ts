import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Slots } from '../../base/slots.ts';
import { type Apart, diskMb, findApart } from './apart.ts';
import { findExecutable } from './find-executable.ts';
import type { HarnessReport, Program } from './harness.ts';
import { type ProcessResult, runProcess } from './run-process.ts';

/** What keeps programs apart from the rest of the machine. */
export interface Sandbox {
  /** Gives them a network, processes and files of their own, as far as the machine allows. */
  readonly apart: Apart | undefined;
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

export type SandboxResult = Omit<ProcessResult, 'report'> & {
  readonly report: HarnessReport | undefined;
};

const maxOutput = 1 << 20;
const maxProcesses = 32;
const slots = new Slots(availableParallelism());

let known: Promise<Sandbox> | undefined;

/** Finds out, once, what the machine offers. */
export function probeSandbox(): Promise<Sandbox> {
  known ??= probe();
  return known;
}

async function probe(): Promise<Sandbox> {
  const shell = await findExecutable('sh');
  return { apart: await findApart(shell), shell };
}

/**
 * Runs a program in an empty folder of its own, which is gone afterwards, as are its processes. No
 * more programs run at once than the machine has processors.
 */
export function runInSandbox(sandbox: Sandbox, run: SandboxRun): Promise<SandboxResult> {
  return slots.use(async () => {
    run.signal.throwIfAborted();
    const { harness, told, interpreterMb } = run.program;
    const outer = await mkdtemp(join(tmpdir(), 'typecase-check-'));
    const folder = join(outer, 'work');
    const tokens = { token: randomUUID(), passed: randomUUID() };
    try {
      await mkdir(folder);
      await writeFile(join(outer, harness.name), harness.text);
      const result = await runProcess({
        command: commandOf(sandbox, run, folder),
        folder,
        input: JSON.stringify({ ...told, ...tokens }),
        timeoutMs: run.limits.timeoutMs,
        limits: {
          memoryMb: run.limits.memoryMb + interpreterMb.filled,
          processes: maxProcesses,
          diskMb: sandbox.apart?.isolatesFiles ? undefined : diskMb,
        },
        maxOutput,
        endsTogether: sandbox.apart !== undefined,
        signal: run.signal,
      });
      return { ...result, report: readReport(result.report, tokens) };
    } finally {
      await rm(outer, { recursive: true, force: true, maxRetries: 3 });
    }
  });
}

/** What others than the harness wrote is no report, and without its own token nothing has passed. */
function readReport(
  written: string,
  { token, passed }: { readonly token: string; readonly passed: string },
): HarnessReport | undefined {
  if (written === passed) return { outcome: 'passed' };
  if (!written.startsWith(`${token} `)) return undefined;
  try {
    const report = JSON.parse(written.slice(token.length)) as HarnessReport;
    return report.outcome === 'passed' ? undefined : report;
  } catch {
    return undefined;
  }
}

// Units of ulimit: seconds for -t, KiB for -d, blocks of 512 bytes for -f. A limit that the system
// does not know is left out.
const limitedCommand = `ulimit -c 0 2>/dev/null
ulimit -n 256 2>/dev/null
ulimit -f ${diskMb * 2048} 2>/dev/null
ulimit -S -t "$1" 2>/dev/null
ulimit -H -t "$(($1 + 1))" 2>/dev/null
ulimit -d "$2" 2>/dev/null
shift 2
unset PWD OLDPWD SHLVL
"$@"
exit $?`;

function commandOf(
  { apart, shell }: Sandbox,
  { interpreter, program, limits }: SandboxRun,
  folder: string,
): readonly string[] {
  const command = [interpreter, ...program.args, join(folder, '..', program.harness.name)];
  if (!shell) return [...(apart?.command(folder) ?? []), ...command];
  const seconds = Math.ceil(limits.timeoutMs / 1000) + 1;
  const kib = (limits.memoryMb + program.interpreterMb.reserved) * 1024;
  const limited = [shell, '-c', limitedCommand, 'sh', String(seconds), String(kib), ...command];
  return [...(apart?.command(folder) ?? []), ...limited];
}
