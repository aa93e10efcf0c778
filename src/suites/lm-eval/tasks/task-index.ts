import { glob } from 'tinyglobby';
import { UsageError } from '../../../base/usage-error.ts';
import { TypecaseError } from '../../../errors.ts';
import { readTaskYaml, type TaskYaml } from './read-task-yaml.ts';

/** A task, a group of tasks, or a tag that several tasks have. */
export type IndexEntry =
  | {
      readonly kind: 'task' | 'group' | 'class';
      readonly name: string;
      readonly file: string;
      readonly value: TaskYaml;
    }
  | { readonly kind: 'tag'; readonly name: string; readonly tasks: string[] };

export interface TaskIndex {
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** Files that hold neither a task nor a group, and why. */
  readonly left: readonly LeftFile[];
}

export interface LeftFile {
  readonly file: string;
  readonly reason: string;
}

/** The tasks, groups and tags in folders; a later folder wins over an earlier one. */
export async function indexTasks(folders: readonly string[]): Promise<TaskIndex> {
  const entries = new Map<string, IndexEntry>();
  const left: LeftFile[] = [];
  for (const folder of folders) {
    const own = new Map<string, IndexEntry>();
    for (const file of await yamlFiles(folder)) {
      try {
        addEntry(own, file, (await readTaskYaml(file)).value);
      } catch (error) {
        if (!TypecaseError.isInstance(error)) throw error;
        left.push({ file, reason: error.message });
      }
    }
    for (const [name, entry] of own) entries.set(name, entry);
  }
  return { entries, left };
}

async function yamlFiles(folder: string): Promise<readonly string[]> {
  const files = await glob('**/*.yaml', {
    cwd: folder,
    absolute: true,
    dot: true,
    ignore: ['**/__pycache__/**', '**/.ipynb_checkpoints/**'],
  });
  if (files.length > 0) return files.sort((left, right) => (left < right ? -1 : 1));
  throw new UsageError('lm_eval.no_tasks', `${folder} has no YAML files`, {
    hint: 'Set --include_path to the folder of your tasks.',
  });
}

/** Takes note of what a file defines; bases that tasks include define nothing. */
export function addEntry(entries: Map<string, IndexEntry>, file: string, value: TaskYaml): void {
  const kind = 'class' in value ? 'class' : 'group' in value ? 'group' : 'task';
  const name = kind === 'group' ? value.group : value.task;
  if (typeof name !== 'string' || entries.has(name)) return;
  entries.set(name, { kind, name, file, value });
  if (kind === 'group') return;
  for (const tag of [value.tag ?? []].flat()) {
    const entry = entries.get(String(tag)) ?? { kind: 'tag', name: String(tag), tasks: [] };
    if (entry.kind !== 'tag') continue;
    entry.tasks.push(name);
    entries.set(entry.name, entry);
  }
}

/** The names that a pattern of a shell matches: `*`, `?` and `[…]`. */
export function namesMatching(pattern: string, names: Iterable<string>): string[] {
  const source = pattern.replaceAll(/\[!?[^\]]+\]|[\s\S]/gu, (part) => {
    if (part === '*') return '[\\s\\S]*';
    if (part === '?') return '[\\s\\S]';
    if (part.length > 2 && part.startsWith('['))
      return part.replace('[!', '[^').replaceAll('\\', '\\\\');
    return part.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&');
  });
  const found = new RegExp(`^${source}$`, 'u');
  return [...names].filter((name) => found.test(name));
}
