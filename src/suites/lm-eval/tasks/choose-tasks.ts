import { existsSync } from 'node:fs';
import { hintForName } from '../../../base/nearest-name.ts';
import { UsageError } from '../../../base/usage-error.ts';
import { ConfigError } from '../../../errors.ts';
import { entriesOf, isMapping } from '../../../prompt/mapping.ts';
import { readTaskYaml, type TaskYaml } from './read-task-yaml.ts';
import { addEntry, type IndexEntry, namesMatching } from './task-index.ts';

/** A task with all that its file, its includes and its groups say. */
export interface ChosenTask {
  readonly name: string;
  readonly config: TaskYaml;
  /** The file that its functions are named from. */
  readonly file: string;
}

/** A group, with the tasks and groups right below it. */
export interface ChosenGroup {
  readonly name: string;
  readonly alias?: string | undefined;
  readonly config: TaskYaml;
  readonly children: readonly string[];
  /** All tasks below it. */
  readonly tasks: readonly string[];
}

export interface ChosenTasks {
  readonly tasks: readonly ChosenTask[];
  readonly groups: readonly ChosenGroup[];
  /** Names of the list that no file here defines. */
  readonly others: readonly string[];
}

const maxDepth = 50;

/** The tasks that a list of names, patterns and files stands for. */
export async function chooseTasks(
  names: readonly string[],
  entries: ReadonlyMap<string, IndexEntry>,
): Promise<ChosenTasks> {
  const chooser = new TaskChooser(entries);
  const others: string[] = [];
  for (const name of names) {
    if (/\.ya?ml$/.test(name) && existsSync(name)) await chooser.addFile(name);
    else if (!chooser.addNamed(name)) others.push(name);
  }
  return { tasks: [...chooser.tasks.values()], groups: [...chooser.groups.values()], others };
}

/** Why a name stands for nothing. */
export function unknownTask(name: string, known: Iterable<string>): UsageError {
  return new UsageError('lm_eval.unknown_task', `unknown task \`${name}\``, {
    hint: hintForName(name, { names: [...known], kind: 'Tasks' }),
  });
}

class TaskChooser {
  readonly #entries: Map<string, IndexEntry>;
  readonly tasks = new Map<string, ChosenTask>();
  readonly groups = new Map<string, ChosenGroup>();

  constructor(entries: ReadonlyMap<string, IndexEntry>) {
    this.#entries = new Map(entries);
  }

  async addFile(file: string): Promise<void> {
    const { value } = await readTaskYaml(file);
    const own = new Map<string, IndexEntry>();
    addEntry(own, file, value);
    const [entry] = own.values();
    if (!entry) throw noTask(file);
    for (const [name, one] of own) this.#entries.set(name, one);
    this.#add(entry, {}, 0);
  }

  /** Whether there is anything of that name. */
  addNamed(name: string): boolean {
    const found = this.#entries.get(name);
    if (found) {
      this.#add(found, {}, 0);
      return true;
    }
    const names = namesMatching(name, this.#entries.keys());
    for (const match of names) {
      const entry = this.#entries.get(match);
      if (entry) this.#add(entry, {}, 0);
    }
    return names.length > 0;
  }

  /** Adds what an entry stands for; gives the names of what it is made of. */
  #add(entry: IndexEntry, overrides: TaskYaml, depth: number): readonly string[] {
    if (depth > maxDepth) throw tooDeep(entry.name);
    if (entry.kind === 'tag') {
      return entry.tasks.toSorted().flatMap((name) => {
        const task = this.#entries.get(name);
        return task ? this.#add(task, { task: name, ...overrides }, depth + 1) : [];
      });
    }
    if (entry.kind === 'class') throw pythonTask(entry);
    if (entry.kind === 'group') {
      return this.#addGroup(entry.name, entry.value, { overrides, depth, file: entry.file });
    }
    return this.#addTask({ ...entry.value, ...overrides }, entry.file);
  }

  #addTask(value: TaskYaml, file: string): readonly string[] {
    const { tag: _, group: __, task_list: ___, ...config } = value;
    const name = String(config.task);
    this.tasks.set(name, { name, config, file });
    return [name];
  }

  #addGroup(name: string, value: TaskYaml, place: GroupPlace): readonly string[] {
    const { task, group: _, group_alias, aggregate_metric_list, metadata, ...shared } = value;
    const overrides = { ...shared, ...place.overrides };
    const children: string[] = [];
    for (const member of Array.isArray(task) ? task : []) {
      children.push(...this.#addMember(member, { ...place, name, overrides }));
    }
    const below = children.flatMap((child) => this.groups.get(child)?.tasks ?? child);
    this.groups.set(name, {
      name,
      ...(group_alias !== undefined && { alias: String(group_alias) }),
      config: { group: name, aggregate_metric_list, metadata },
      children: [...new Set(children)],
      tasks: [...new Set(below)],
    });
    return [name];
  }

  #addMember(member: unknown, { name, overrides, depth, file }: MemberPlace): readonly string[] {
    if (!isMapping(member)) {
      const entry = this.#entries.get(String(member));
      if (!entry) throw unknownMember(String(member), name, file);
      return this.#add(entry, withName(entry, overrides), depth + 1);
    }
    const own = Object.fromEntries(entriesOf(member)) as TaskYaml;
    if (own.group !== undefined) {
      const { group, ...rest } = own;
      const entry = this.#entries.get(String(group));
      if (entry) return this.#add(entry, { ...overrides, ...rest }, depth + 1);
      const place = { overrides, depth: depth + 1, file };
      return this.#addGroup(`${name}::${String(group)}`, own, place);
    }
    const base = String(own.task);
    const entry = this.#entries.get(base);
    const merged = { ...overrides, ...own };
    if (!entry) return this.#addTask({ ...merged, task: `${name}::${base}` }, file);
    return this.#add(entry, withName(entry, merged), depth + 1);
  }
}

interface GroupPlace {
  readonly overrides: TaskYaml;
  readonly depth: number;
  readonly file: string;
}

interface MemberPlace extends GroupPlace {
  /** The group. */
  readonly name: string;
}

/** A task keeps its name, unless what it is named by says otherwise. */
function withName(entry: IndexEntry, overrides: TaskYaml): TaskYaml {
  return entry.kind === 'task' ? { task: entry.name, ...overrides } : overrides;
}

function noTask(file: string): ConfigError {
  return new ConfigError('lm_eval.bad_task', `${file} names neither a \`task\` nor a \`group\``, {
    at: { file, line: 1, column: 1 },
    hint: 'A file that others include is not a task itself: use one that includes it.',
  });
}

function tooDeep(name: string): ConfigError {
  return new ConfigError('lm_eval.bad_task', `the group \`${name}\` contains itself`, {
    hint: 'A group consists of tasks and other groups.',
  });
}

function pythonTask({ name, file }: IndexEntry & { readonly file: string }): ConfigError {
  return new ConfigError('lm_eval.python_task', `\`${name}\` is a task defined by a Python class`, {
    at: { file, line: 1, column: 1 },
    hint: 'Only tasks written in YAML can be read.',
  });
}

function unknownMember(member: string, group: string, file: string): ConfigError {
  return new ConfigError(
    'lm_eval.unknown_task',
    `the group \`${group}\` names \`${member}\`, which no file defines`,
    { at: { file, line: 1, column: 1 }, hint: 'Add its folder with --include_path.' },
  );
}
