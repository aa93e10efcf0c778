import type { ExecuteOptions } from '../../run/execute-evaluations.ts';
import type { RunControl } from '../../run/run-control.ts';
import { describeTerminal } from '../terminal.ts';
import { Progress } from './progress.ts';

type Following = Required<Pick<ExecuteOptions, 'signal' | 'onStart'>>;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

const toldAtInterrupt =
  'Finishing requests in flight… interrupt again to end them; run the same command to resume.';

/** The terminal is gone: what is written to it must not end the run before its results are kept. */
function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/**
 * Shows how a run comes along, and heeds interrupts: the first lets requests in flight finish, the
 * second ends them.
 */
export async function followRun<Result>(
  run: (following: Following) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  let control: RunControl | undefined;
  let progress: Progress | undefined;
  let interrupts = 0;
  const interrupt = (name: NodeJS.Signals) => {
    if (name === 'SIGHUP') outliveTerminal();
    if (++interrupts > 1) abort.abort(new Error('interrupted'));
    else process.stderr.write(`\n${toldAtInterrupt}\n`);
    control?.stop();
  };
  const onStart = (started: RunControl) => {
    if (!control) {
      for (const name of signals) process.on(name, interrupt);
    }
    progress?.stop();
    control = started;
    if (interrupts > 0) control.stop();
    const terminal = describeTerminal(process.stderr);
    progress = new Progress(control, { stream: process.stderr, terminal });
  };
  try {
    return await run({ signal: abort.signal, onStart });
  } finally {
    progress?.stop();
    for (const name of signals) process.off(name, interrupt);
  }
}
