import type { SourceLocation } from '../errors.ts';
import type { Mapping } from '../prompt/mapping.ts';
import type { Locations } from './source-location.ts';

/** A config as it was written: its value, and where each part of it stands in a file. */
export interface LoadedConfig extends Locations {
  /** Left out for a config that flags or a program spell. */
  readonly file?: string | undefined;
  /** Relative paths are relative to this folder. */
  readonly folder: string;
  readonly value: Mapping;
  /** The same before the tasks that it names were looked up. */
  readonly unexpanded: Mapping;
  /** Text of each file that a place can point into, by file name. */
  readonly sources: ReadonlyMap<string, string>;
  /** Locations in the config alone, where those in tasks are known too. */
  readonly withoutTasks?: Locations;
}

/** A config that was read from a file, so that all of it has a place. */
export interface LoadedFile extends Omit<LoadedConfig, keyof Locations>, Locations<SourceLocation> {
  readonly file: string;
}
