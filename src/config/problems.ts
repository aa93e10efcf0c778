import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import type { LoadedConfig } from './read-config-file.ts';

/** All that is wrong with a config, in the order of the file. */
export class ConfigProblemsError extends ConfigError {
  readonly problems: readonly ConfigError[];

  constructor(problems: readonly ConfigError[]) {
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

function formatProblem({ at, message, hint }: ConfigError): string {
  const place = at ? `line ${at.line}: ` : '';
  return `${place}${message}${hint ? `. ${hint}` : ''}`;
}

/** What is wrong at a path. The message continues a sentence that starts with the path. */
export interface Problem {
  readonly code: string;
  readonly path: ConfigPath;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The key of `path` that the problem is about, where it is not the value itself. */
  readonly key?: string | undefined;
}

/** Takes what there is to say about a config beyond its value. */
export interface Report {
  problem(problem: Problem): void;
  notice(path: ConfigPath, message: string): void;
}

type Places = Pick<LoadedConfig, 'locate' | 'locateKey'>;

/** One error for all problems. */
export function problemsError(loaded: Places, problems: readonly Problem[]): ConfigProblemsError {
  const errors = problems.map((problem) => toError(loaded, problem));
  return new ConfigProblemsError(errors.toSorted(compareByIndex));
}

function toError(loaded: Places, { code, path, message, hint, key }: Problem): ConfigError {
  const name = path.length === 0 ? 'The config' : formatPath(path);
  const keyPath = key === undefined ? path : [...path, key];
  const at = key === undefined ? loaded.locate(path) : loaded.locateKey(keyPath);
  return new ConfigError(code, `${name} ${message}`, { path: keyPath, hint, at });
}

function compareByIndex({ at: left }: ConfigError, { at: right }: ConfigError): number {
  if (!left || !right) return 0;
  return left.line - right.line || left.column - right.column;
}
