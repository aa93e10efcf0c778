import { ConfigError } from '../errors.ts';
import { locationAt, type Source } from './source-location.ts';

export interface SyntaxProblem {
  readonly code?: string;
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

/** The error for a config file that cannot be read as what its extension says. */
export function syntaxError(source: Source, problem: SyntaxProblem): ConfigError {
  const at = locationAt(source, problem.offset);
  return new ConfigError(
    problem.code ?? 'config.syntax',
    `${nameOf(source)}, line ${at.line}: ${problem.message}`,
    { at, hint: problem.hint },
  );
}

/** The name without its folder; this runs in browsers too. */
function nameOf({ file }: Source): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}

export function duplicateKey(source: Source, key: unknown, offset: number): ConfigError {
  return syntaxError(source, {
    code: 'config.duplicate_key',
    offset,
    message: `the key \`${String(key)}\` is written twice in the same mapping`,
    hint: 'Remove or rename one of the two.',
  });
}
