import { atPlace, type SourceLocation, TypecaseError } from '../errors.ts';
import { type Diagnostic, type DiagnosticKind, kindOf } from '../prompt/diagnostics.ts';
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

/** What may be wrong, with its kind and its place in the config file. */
export interface LocatedDiagnostic extends Diagnostic {
  readonly kind: DiagnosticKind;
  readonly at?: SourceLocation | undefined;
}

/** Says where what is told of a template, or of data, is written. */
export function locateDiagnostic(
  written: Pick<Locations, 'locate' | 'locateInString'> | undefined,
  diagnostic: Diagnostic,
): LocatedDiagnostic {
  const { path, start } = diagnostic;
  const at = start === undefined ? written?.locate(path) : written?.locateInString(path, start);
  return { ...diagnostic, kind: kindOf(diagnostic), ...(at && { at }) };
}
