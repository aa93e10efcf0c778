import { tmpdir } from 'node:os';
import { ConfigError } from '../../errors.ts';
import { findExecutable } from './find-executable.ts';
import { type LanguageName, languages } from './languages.ts';
import { runProcess } from './run-process.ts';
import { probeSandbox, runInSandbox, type Sandbox } from './sandbox.ts';

/** An interpreter that is ready to run programs, and which limits hold for them. */
export interface Interpreter {
  readonly file: string;
  readonly sandbox: Sandbox;
  /** What holds on this machine, in words. */
  readonly notes: string;
}

const ready = new Map<LanguageName, Promise<Interpreter>>();

/** Finds a language's interpreter and tries the limits, once. Refuses a language without one. */
export function prepareLanguage(name: LanguageName): Promise<Interpreter> {
  const known = ready.get(name) ?? prepare(name);
  ready.set(name, known);
  return known;
}

async function prepare(name: LanguageName): Promise<Interpreter> {
  const sandbox = await probeSandbox();
  const { file, version } =
    name === 'python'
      ? await findPython()
      : { file: process.execPath, version: `Node ${process.versions.node}` };
  const { program, greedy } = languages[name];
  const { report } = await runInSandbox(sandbox, {
    interpreter: file,
    program: program({ answer: greedy, tests: '1 + 1', memoryMb: 64 }),
    limits: { timeoutMs: 20_000, memoryMb: 64 },
    signal: new AbortController().signal,
  });
  const holds = [
    'time and output are limited',
    report?.outcome === 'passed' ? 'memory is NOT limited' : 'memory is limited',
    sandbox.apart ? 'the network is cut off' : 'the network is NOT cut off',
    sandbox.apart?.isolatesFiles
      ? 'other folders are read-only'
      : 'other folders are NOT protected',
  ];
  return { file, sandbox, notes: `${version}: ${holds.join(', ')}` };
}

interface Found {
  readonly file: string;
  readonly version: string;
}

/** Finds Python 3 in the search path, or refuses. */
export async function findPython(searchPath?: string): Promise<Found> {
  for (const command of ['python3', 'python']) {
    const found = await findExecutable(command, searchPath);
    const python = found && (await askPython(found));
    if (python) return python;
  }
  throw new ConfigError(
    'config.interpreter_missing',
    'Python, which runs the code of answers, was not found',
    {
      hint: 'Install Python 3 so that the command `python3` works.',
    },
  );
}

/** What stands in PATH may be a script that looks for the interpreter itself. */
async function askPython(file: string): Promise<Found | undefined> {
  const ask =
    'import sys, os; os.write(3, f"{sys.executable}\\n{sys.version.split()[0]}".encode())';
  const { report } = await runProcess({
    command: [file, '-c', ask],
    folder: tmpdir(),
    input: '',
    timeoutMs: 20_000,
    limits: { memoryMb: 1024, processes: 32 },
    maxOutput: 1 << 16,
    endsTogether: false,
    signal: new AbortController().signal,
  });
  const [executable = '', version = ''] = report.split('\n');
  return executable.startsWith('/') && version.startsWith('3.')
    ? { file: executable, version: `Python ${version}` }
    : undefined;
}
