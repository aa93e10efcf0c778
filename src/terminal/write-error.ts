import { jsonLocation } from '../base/display-path.ts';
import { hideKeys } from '../base/hidden-text.ts';
import { ConfigProblemsError } from '../config/problems.ts';
import { TypecaseError } from '../errors.ts';
import { writeJson } from './output.ts';

/** An error as `--json` prints it. */
export interface ErrorOutput {
  /** Left out for one that should not have happened. */
  readonly code?: string;
  readonly message: string;
  readonly hint?: string;
  readonly at?: { readonly file: string; readonly line: number; readonly column: number };
}

/** Prints what ended a command for machines. */
export function writeError(
  error: unknown,
  { command, exitCode }: { readonly command: string; readonly exitCode: number },
): void {
  const problems = error instanceof ConfigProblemsError ? error.problems : [error];
  writeJson(command, { exitCode, errors: problems.map(errorOutput) });
}

function errorOutput(error: unknown): ErrorOutput {
  const message = hideKeys(error instanceof Error ? error.message : String(error));
  if (!TypecaseError.isInstance(error)) return { message };
  const { code, hint, at } = error;
  return {
    code,
    message,
    ...(hint !== undefined && { hint: hideKeys(hint) }),
    ...(at && { at: jsonLocation(at) }),
  };
}
