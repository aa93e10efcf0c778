import { readFileSync } from 'node:fs';
import type { ConfigPath, SourceLocation } from '../errors.ts';
import type { WrittenVersion } from '../tasks/task-file.ts';
import type { LoadedConfig } from './loaded-config.ts';
import { followPath, type Locations, locationsIn, type Source } from './source-location.ts';
import { parseYaml } from './yaml-source.ts';

/** A dataset that takes in a task, and the files that say what it takes. Suites have none. */
export interface TaskPlace {
  readonly path: ConfigPath;
  readonly task: string | undefined;
  readonly version: WrittenVersion | undefined;
  /** Whether it says how its rows are read. */
  readonly hasReader: boolean;
}

/** Locations in a config, and in the files of its tasks for what it takes from those. */
export function locationsWithTasks(loaded: LoadedConfig, places: readonly TaskPlace[]): Locations {
  const files = new Map<string, TaskFile>();
  const fileOf = (file: string): TaskFile => {
    const known = files.get(file) ?? openTaskFile(file);
    files.set(file, known);
    return known;
  };
  /** Where a task says what the config does not say itself. */
  const inTask = (
    path: ConfigPath,
    locate: (locations: Locations, path: ConfigPath) => SourceLocation | undefined,
  ): SourceLocation | undefined => {
    const place = places.find(({ path: start }) => startsWith(path, start));
    if (!place || isIn(loaded.unexpanded, path)) return locate(loaded, path);
    const found = candidates(place, path.slice(place.path.length)).find(({ file, path: inner }) =>
      fileOf(file).has(inner),
    );
    if (!found) return locate(loaded, path);
    const at = locate(fileOf(found.file), found.path);
    const usedBy = loaded.locate(place.path);
    return at && usedBy ? { ...at, usedBy } : at;
  };
  return {
    locate: (path) => inTask(path, (locations, inner) => locations.locate(inner)),
    locateKey: (path) => inTask(path, (locations, inner) => locations.locateKey(inner)),
    locateInString: (path, index) =>
      inTask(path, (locations, inner) => locations.locateInString(inner, index)),
  };
}

interface TaskFile extends Locations {
  has(path: ConfigPath): boolean;
}

function openTaskFile(file: string): TaskFile {
  const source: Source = { file, text: readFileSync(file, 'utf8') };
  const parsed = parseYaml(source);
  return {
    ...locationsIn(source, parsed),
    has: (path) => followPath(parsed.root(), path).complete,
  };
}

/** A version says more than its task. */
function candidates(
  { task, version, hasReader }: TaskPlace,
  path: ConfigPath,
): { readonly file: string; readonly path: ConfigPath }[] {
  const [part, ...rest] = path;
  const isOutput = hasReader && part === 'reader_cfg' && rest[0] === 'output_column';
  const isOfVersion = part === 'infer_cfg' || isOutput;
  return [
    ...(version && isOfVersion ? [{ file: version.file, path: [...version.path, ...rest] }] : []),
    ...(task === undefined ? [] : [{ file: task, path }]),
    ...(task !== undefined && isOutput ? [{ file: task, path: rest }] : []),
  ];
}

function startsWith(path: ConfigPath, start: ConfigPath): boolean {
  return start.every((key, index) => path[index] === key);
}

function isIn(value: unknown, path: ConfigPath): boolean {
  let inner = value;
  for (const key of path) {
    if (inner instanceof Map) inner = inner.get(key);
    else if (typeof inner === 'object' && inner !== null) inner = Reflect.get(inner, key);
    else return false;
  }
  return inner !== undefined;
}
