import { atPlace, TypecaseError } from '../errors.ts';
import type { LoadedConfig } from './loaded-config.ts';

/** The same error with its place in the config file, if it has a path and no place yet. */
export function withLocation<Thrown>(
  loaded: Pick<LoadedConfig, 'locate' | 'locateKey'>,
  error: Thrown,
): Thrown {
  if (!TypecaseError.isInstance(error) || !error.path || error.at) return error;
  const { code, path } = error;
  const at = code.endsWith('.unknown_key') ? loaded.locateKey(path) : loaded.locate(path);
  return atPlace(error, { at });
}
