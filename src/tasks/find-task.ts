import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hintForName } from '../base/nearest-name.ts';
import { packageFolder } from '../base/package-folder.ts';
import { ConfigError } from '../errors.ts';
import { loadTaskSources, type TaskLookup } from './sources.ts';
import { hintForVersion } from './stand-in.ts';
import { type OwnVersion, readTaskFile, type VersionedTask } from './task-file.ts';

const taskFile = 'task.yaml';

/** The names of the tasks that come with the package and run from their files alone. */
export function builtInTasks(): string[] {
  const folder = packageFolder('tasks');
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, taskFile)));
}

/** A task that comes with the package, one of a suite, or one in a file or folder of one's own. */
export async function findTask(name: string, lookup: TaskLookup): Promise<VersionedTask> {
  const { dialect } = lookup;
  const task = await findAny(name, lookup);
  if (dialect === undefined || task.hasDialects) return task;
  throw new ConfigError('task.no_dialects', `the task \`${name}\` has no dialects`, {
    hint: 'Remove `dialect`: only the Japanese financial tasks have several.',
  });
}

async function findAny(name: string, lookup: TaskLookup): Promise<VersionedTask> {
  const builtIn = packageFolder('tasks', name, taskFile);
  if (/^[\w-]+$/.test(name) && existsSync(builtIn)) {
    return { ...(await readTaskFile(builtIn)), task: name };
  }
  const sources = await loadTaskSources();
  for (const source of sources) {
    const task = await source.find(name, lookup);
    if (task) return task;
  }
  const own = resolve(lookup.folder, name);
  if (existsSync(own)) return readTaskFile(own);
  const names = [...builtInTasks(), ...sources.flatMap((source) => source.names)];
  throw new ConfigError('task.unknown', `unknown task \`${name}\``, {
    hint: `${hintForName(name, { names, kind: 'Tasks' })} Or give the path of a task file.`,
  });
}

/** A version of a task's template by its name; the first one if none is named. */
export function versionOf({ task, versions }: VersionedTask, name: string | undefined): OwnVersion {
  const [first] = versions;
  const found = name === undefined ? first : versions.find(({ version }) => version === name);
  if (found) return found;
  const names = versions.map(({ version }) => version);
  throw new ConfigError('task.unknown_version', `\`${task}\` has no template \`${name}\``, {
    hint: hintForVersion(name ?? '', names),
  });
}
