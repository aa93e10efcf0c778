import { CompatError } from './compat-error.ts';

/** The exceptions that formatting a template can end with in Python. */
export type PythonException =
  | 'AttributeError'
  | 'IndexError'
  | 'KeyError'
  | 'MemoryError'
  | 'OverflowError'
  | 'TypeError'
  | 'ValueError';

/** Stops as Python would; `message` says what is wrong, in our words. */
export function fail(type: PythonException, message: string): never {
  throw new CompatError({ type, message, what: message });
}
