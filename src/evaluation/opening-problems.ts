import type { LoadedConfig } from '../config/loaded-config.ts';
import { ConfigProblemsError } from '../config/problems.ts';
import { withLocation } from '../config/with-location.ts';
import { ConfigError, DataError, TemplateError, type TypecaseError } from '../errors.ts';

/** What is wrong with datasets, so that one does not hide the others. */
export class OpeningProblems {
  readonly #problems = new Map<string, TypecaseError>();
  readonly #written: LoadedConfig;

  constructor(written: LoadedConfig) {
    this.#written = written;
  }

  /** Keeps an error of the config; throws all others. */
  add(error: unknown): void {
    if (error instanceof ConfigProblemsError) {
      for (const problem of error.problems) this.add(problem);
      return;
    }
    if (!isOfConfig(error)) throw error;
    const placed = withLocation(this.#written, error);
    const { code, message, at } = placed;
    // What is wrong with a dataset is wrong for each model.
    const key = JSON.stringify([code, message, at]);
    if (!this.#problems.has(key)) this.#problems.set(key, placed);
  }

  /** Throws the one error, or one error for all. */
  check(): void {
    const [first, ...others] = this.#problems.values();
    if (!first) return;
    throw others.length === 0 ? first : new ConfigProblemsError([first, ...others]);
  }
}

function isOfConfig(error: unknown): error is TypecaseError {
  return (
    error instanceof ConfigError || error instanceof TemplateError || error instanceof DataError
  );
}
