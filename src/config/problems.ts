import { ConfigError, type ConfigPath, type TypecaseError } from '../errors.ts';
import { type Problem, problemError } from '../schema/schema-problems.ts';
import type { LoadedConfig } from './loaded-config.ts';

/** Every problem of a config, in the order of the file. */
export class ConfigProblemsError extends ConfigError {
  readonly problems: readonly TypecaseError[];

  constructor(problems: readonly TypecaseError[]) {
    const [first] = problems;
    if (first && problems.length === 1) {
      super(first.code, first.message, { hint: first.hint, path: first.path, at: first.at });
    } else {
      const list = problems.map((problem) => `\n  ${formatProblem(problem)}`).join('');
      const message = `The config has ${problems.length} problems:${list}`;
      super('config.invalid', message, { path: first?.path, at: first?.at });
    }
    this.problems = problems;
  }
}

function formatProblem({ at, message, hint }: TypecaseError): string {
  const line = at ? `line ${at.line}: ` : '';
  return `${line}${message}${hint ? `. ${hint}` : ''}`;
}

/** Takes what there is to say about a config beyond its value. */
export interface Report {
  problem(problem: Problem): void;
  notice(path: ConfigPath, message: string): void;
}

type Locations = Pick<LoadedConfig, 'locate' | 'locateKey'>;

/** One error for all problems. */
export function problemsError(
  loaded: Locations,
  problems: readonly Problem[],
): ConfigProblemsError {
  const errors = problems.map((problem) => toError(loaded, problem));
  return new ConfigProblemsError(errors.toSorted(compareByIndex));
}

function toError(loaded: Locations, problem: Problem): ConfigError {
  const { path, key } = problem;
  const at = key === undefined ? loaded.locate(path) : loaded.locateKey([...path, key]);
  return problemError(problem, at);
}

function compareByIndex({ at: left }: TypecaseError, { at: right }: TypecaseError): number {
  if (!left || !right) return 0;
  return left.line - right.line || left.column - right.column;
}
