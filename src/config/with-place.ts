import { type ErrorDetails, TypecaseError } from '../errors.ts';
import type { LoadedConfig } from './load-config.ts';

type ErrorClass = new (code: string, message: string, details: ErrorDetails) => TypecaseError;

/** The same error with its place in the config file, if it has a path and no place yet. */
export function withPlace<Thrown>(
  loaded: Pick<LoadedConfig, 'locate' | 'locateKey'>,
  error: Thrown,
): Thrown {
  if (!TypecaseError.isInstance(error) || !error.path || error.at) return error;
  const { code, message, hint, path, cause } = error;
  const at = code.endsWith('.unknown_key') ? loaded.locateKey(path) : loaded.locate(path);
  const Class = error.constructor as ErrorClass;
  const placed = new Class(code, message, { hint, path, at, cause });
  return Object.assign(placed, { ...error, at, stack: error.stack }) as Thrown;
}
