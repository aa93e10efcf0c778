import type { ExecuteOptions } from '../../run/execute-evaluations.ts';
import type { RunControl } from '../../run/run-control.ts';
import { describeTerminal } from '../terminal.ts';
import { Progress } from './progress.ts';

type Following = Required<Pick<ExecuteOptions, 'signal' | 'onStart'>>;

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
  const interrupt = () => {
    if (++interrupts > 1) abort.abort(new Error('interrupted'));
    else process.stderr.write('\nFinishing what is in flight; the same command goes on later.\n');
    control?.stop();
  };
  const onStart = (started: RunControl) => {
    if (!control) {
      process.on('SIGINT', interrupt);
      process.on('SIGTERM', interrupt);
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
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
