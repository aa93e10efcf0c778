import { atPlace, type ConfigPath, TemplateError } from '../errors.ts';

export interface CompatFailure {
  /** Python exception class that the original program raises, such as `KeyError`. */
  readonly type: string;
  /** Text of that exception, or our words where they are not known to be its own. */
  readonly message: string;
  /** Code that AISBench prints, such as `ICLR-PARAM-001`. */
  readonly code?: string | undefined;
  /** What is wrong, in our words. */
  readonly what: string;
  readonly hint?: string | undefined;
  readonly path?: ConfigPath | undefined;
}

/** An input on which the system that is being reproduced stops with an exception. */
export class CompatError extends TemplateError {
  readonly pythonType: string;
  readonly pythonMessage: string;
  readonly pythonCode: string | undefined;

  constructor(failure: CompatFailure) {
    const isTold = failure.message !== '' && failure.message !== failure.what;
    const original = isTold ? `${failure.type}: ${failure.message}` : failure.type;
    super(errorCode(failure.type), failure.what, {
      hint:
        failure.hint ??
        `change this input, or leave out compat: the original stops with ${original}`,
      path: failure.path,
    });
    this.pythonType = failure.type;
    this.pythonMessage = failure.message;
    this.pythonCode = failure.code;
  }
}

/** The exceptions that rules of Python, or of Jinja in it, end with. */
export type PythonException =
  | 'AttributeError'
  | 'IndexError'
  | 'KeyError'
  | 'MemoryError'
  | 'OverflowError'
  | 'SecurityError'
  | 'TypeError'
  | 'UndefinedError'
  | 'ValueError'
  | 'ZeroDivisionError';

/** Stops as Python would; `message` says what is wrong, in our words. */
export function fail(type: PythonException, message: string): never {
  throw new CompatError({ type, message, what: message });
}

/** Runs a step, and adds the location in the config to a compat error that has none. */
export function atPath<Result>(path: ConfigPath, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof CompatError) || error.path !== undefined) throw error;
    throw atPlace(error, { path });
  }
}

/** `KeyError` is `compat.key_error`, `AISBenchKeyError` is `compat.aisbench_key_error`. */
function errorCode(pythonType: string): string {
  const words = pythonType.replace('AISBench', 'Aisbench').match(/[A-Z][a-z]*/g) ?? [pythonType];
  return `compat.${words.join('_').toLowerCase()}`;
}
