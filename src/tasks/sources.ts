import type { VersionedTask } from './task-file.ts';

/** Tasks that those bring in who know them: here only files are known. */
export interface TaskSource {
  /** What its tasks are called. */
  readonly names: readonly string[];
  /** What command lines call its tasks with their versions; left out where tasks are files. */
  readonly versions?: ReadonlyMap<string, { readonly task: string; readonly version: string }>;
  /** A task by its name, or by its file in a folder; nothing if it is none of these. */
  find(name: string, lookup: TaskLookup): Promise<VersionedTask | undefined>;
}

export interface TaskLookup {
  readonly folder: string;
  /** The set of rules that texts are put together by, where a config chooses one. */
  readonly dialect?: string | undefined;
}

type LoadSource = () => Promise<TaskSource>;

const loaders = new Set<LoadSource>();

/** Makes tasks known by their names; they are loaded when a name is looked for that no file has. */
export function addTaskSource(load: LoadSource): void {
  loaders.add(load);
}

export function loadTaskSources(): Promise<readonly TaskSource[]> {
  return Promise.all([...loaders].map((load) => load()));
}

/** A config that is written for another system, in the words of this project. */
export interface ForeignConfig {
  readonly value: object;
  readonly folder: string;
  readonly name: string;
}

/** The module that reads configs of another system. */
interface ForeignReader {
  readPromptfoo(file: string, options: { readonly isAsked: boolean }): Promise<ForeignConfig>;
}

/** What reads configs of other systems, once somebody who can has said so. */
export const configSources: { promptfoo?: () => Promise<ForeignReader> } = {};
