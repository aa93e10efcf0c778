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
  'model/openai-model.ts',
  'base/read-repository.ts',
  'api/with-gates.ts',
  'api/write-results.ts',
];

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
  for (const file of loadedBy(...plainRun)) {
    if (loaded.some((entry) => entry.file === file)) continue;
    const users = loaded.filter(({ files }) => files.has(file)).map(({ name }) => name);
    const priority = Math.min(users.length, manyEntries);
    const name = nameOf(users);
    const group = groups.get(name) ?? { priority, ids: new Set() };
    group.ids.add(idOf(file));
    groups.set(name, group);
  }
  // A group takes along what it imports; what more entries load comes first.
  return Array.from(groups, ([name, { priority, ids }]) => ({
    name,
    priority,
    test: (id) => ids.has(id),
  }));
}

function nameOf(users: readonly string[]): string {
  if (users.length >= manyEntries) return 'basics';
  return ['run', ...users].join('-');
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
