import { atPlace, type SourceLocation, TypecaseError } from '../errors.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { LoadedConfig } from './loaded-config.ts';
import type { Locations } from './source-location.ts';

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

/** Where what is said of a template, or of data, is written. */
export function placeOfDiagnostic(
  { locate, locateInString }: Pick<Locations, 'locate' | 'locateInString'>,
  { path, start }: Pick<Diagnostic, 'path' | 'start'>,
): SourceLocation | undefined {
  return start === undefined ? locate(path) : locateInString(path, start);
}
