import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsIn, readSource } from './source-imports.ts';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** What every run imports as it goes. */
const plainRun = [
  'cli/main.ts',
  'cli/run/run-command.ts',
  'config/read-config-file.ts',
  'config/json-source.ts',
  'base/read-repository.ts',
  'api/with-gates.ts',
  'api/write-results.ts',
];

/** What a run imports besides, by the kind of model that it asks. */
const modelRuns = {
  endpoint: ['model/openai-model.ts'],
  function: ['evaluation/open-given-model.ts'],
};

/** What so many entries load is little, and needs little itself. */
const manyEntries = 3;

export interface ChunkGroup {
  readonly name: string;
  readonly test: (id: string) => boolean;
  readonly priority: number;
}

/**
 * Puts the modules of a plain run into few files, since each takes a millisecond or more to load.
 * Modules go together that the same entries load, so that none of those loads more than it needs.
 */
export function chunkGroups(entries: Readonly<Record<string, string>>): ChunkGroup[] {
  const loaded = Object.entries(entries).map(([name, path]) => {
    const file = path.replace('src/', '');
    return { name, file, files: loadedBy(file) };
  });
  const groups = new Map<string, { readonly priority: number; readonly ids: Set<string> }>();
  const placed = new Set(loaded.map((entry) => entry.file));
  const place = (run: string, file: string) => {
    if (placed.has(file)) return;
    placed.add(file);
    const users = loaded.filter(({ files }) => files.has(file)).map(({ name }) => name);
    const rank = Math.min(users.length, manyEntries);
    const priority = run === 'run' ? rank + manyEntries + 1 : rank;
    const name = nameOf(run, users);
    const group = groups.get(name) ?? { priority, ids: new Set() };
    group.ids.add(idOf(file));
    groups.set(name, group);
  };
  const kinds = Object.entries(modelRuns).map(([run, paths]) => ({
    run,
    files: loadedBy(...paths),
  }));
  for (const file of loadedBy(...plainRun)) place('run', file);
  for (const { run, files } of kinds) {
    for (const file of files) {
      const isShared = kinds.filter((kind) => kind.files.has(file)).length > 1;
      place(isShared ? 'run' : run, file);
    }
  }
  // A group takes along what it imports; what more entries load comes first.
  return Array.from(groups, ([name, { priority, ids }]) => ({
    name,
    priority,
    test: (id) => ids.has(id),
  }));
}

function nameOf(run: string, users: readonly string[]): string {
  if (users.length >= manyEntries) return 'basics';
  return [run, ...users].join('-');
}

/** The files that are loaded with some, before anything is imported on the way. */
function loadedBy(...files: readonly string[]): Set<string> {
  const loaded = new Set(files);
  for (const file of loaded) {
    for (const { to, isType, isLazy } of importsIn(readSource(file), file)) {
      if (!isType && !isLazy && to.endsWith('.ts')) loaded.add(to);
    }
  }
  return loaded;
}

function idOf(file: string): string {
  return source + file.split('/').join(sep);
}
