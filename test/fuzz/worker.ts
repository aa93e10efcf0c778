import { TypecaseError } from '../../src/errors.ts';
import { formatError } from '../../src/terminal/report-error.ts';
import { describeTerminal } from '../../src/terminal/terminal.ts';
import { caseOf } from './targets.ts';

/** What the parent says: from which case to which, in steps. */
export interface Work {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** The name of the only target; all of them by default. */
  readonly target?: string | undefined;
}

export type Told =
  | { readonly type: 'begins'; readonly number: number; readonly target: string }
  | {
      readonly type: 'crash';
      readonly number: number;
      readonly target: string;
      readonly error: string;
    }
  | { readonly type: 'refused' | 'read'; readonly target: string }
  | { readonly type: 'done' };

const tell = (told: Told) => process.send?.(told);
const terminal = describeTerminal(process.stderr);

/** What is thrown must be an error for people, which can be shown. */
function problemOf(error: unknown): string | undefined {
  if (!TypecaseError.isInstance(error)) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const shown = formatError(error, terminal);
  return shown.includes('This is a bug in Typecase') || /^undefined|\[object /.test(error.message)
    ? shown
    : undefined;
}

async function runCase(seed: number, number: number, only?: string): Promise<void> {
  const { target, random } = caseOf(seed, number, only);
  tell({ type: 'begins', number, target: target.name });
  try {
    await target.run(random);
    tell({ type: 'read', target: target.name });
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) tell({ type: 'refused', target: target.name });
    else tell({ type: 'crash', number, target: target.name, error: problem });
  }
}

process.on('message', async ({ seed, from, to, step, target }: Work) => {
  for (let number = from; number < to; number += step) await runCase(seed, number, target);
  tell({ type: 'done' });
});
process.on('unhandledRejection', (error) => {
  throw error;
});
