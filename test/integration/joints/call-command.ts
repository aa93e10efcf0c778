import { setFlagsFromString } from 'node:v8';
import { commandFor } from '../../../src/cli/commands.ts';
import { reportError } from '../../../src/terminal/report-error.ts';
import type { Outcome } from '../run-cli.ts';

/** Runs a command of the command line: in this process, or as one of its own. */
export type CallCommand = (args: readonly string[]) => Promise<Outcome>;

/** Runs a command in this process, as `main` does, and keeps what it prints. One at a time. */
export async function callCommand([name = '', ...rest]: readonly string[]): Promise<Outcome> {
  const command = commandFor(name, rest);
  if (!command) throw new RangeError(`there is no command ${name}`);
  const run = await command.load();
  const stdout = keepOutput(process.stdout);
  const stderr = keepOutput(process.stderr);
  try {
    const code = await run(rest).catch(reportError);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.release();
    stderr.release();
    // A run sets this for its process, where it would cost all later ones much time.
    setFlagsFromString('--heap-growing-percent=0');
  }
}

function keepOutput(stream: NodeJS.WriteStream) {
  const { write } = stream;
  const chunks: string[] = [];
  stream.write = (chunk: Uint8Array | string): boolean => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    return true;
  };
  return {
    text: () => chunks.join(''),
    release: () => {
      stream.write = write;
    },
  };
}
