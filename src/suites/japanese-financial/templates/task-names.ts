import { nearestName } from '../../../base/nearest-name.ts';
import { ConfigError } from '../../../errors.ts';
import { standIn } from '../../../tasks/stand-in.ts';

/** The tasks and their template versions; `0.0` is the one without a name of its own. */
const examVersions = ['0.0', '0.1', '0.1.2', '0.2', '0.2.1', '0.3', '0.4', '0.5', '0.6'];

export const taskVersions = {
  chabsa: ['0.0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6'],
  cma_basics: examVersions,
  cpa_audit: examVersions,
  fp2: examVersions,
  security_sales_1: examVersions,
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Task = keyof typeof taskVersions;

/** One task with one of its templates. */
export interface NamedTask {
  /** As results are filed: `chabsa`, `chabsa-1.0-0.2`. */
  readonly name: string;
  readonly task: Task;
  readonly version: string;
}

const aliases: Readonly<Record<string, Task>> = { cpa: 'cpa_audit' };

export const tasks = Object.keys(taskVersions) as readonly Task[];

/** All tasks with all their templates, in the order of their names. */
export const namedTasks: readonly NamedTask[] = tasks.flatMap((task) =>
  taskVersions[task].map((version) => ({ name: nameOf(task, version), task, version })),
);

export function nameOf(task: Task, version: string): string {
  return version === '0.0' ? task : `${task}-1.0-${version}`;
}

/** The tasks and what else they are called. */
export const taskNames: readonly string[] = [...tasks, ...Object.keys(aliases)];

/** The task of a name without a version; nothing if it is none. */
export function taskCalled(name: string): Task | undefined {
  return tasks.find((task) => task === (aliases[name] ?? name));
}

/** The task of a name such as `cma_basics-1.0-0.2` or, by its old name, `cpa-1.0-0.2`. */
export function taskNamed(name: string): NamedTask {
  const given = canonical(name);
  const found = namedTasks.find((entry) => entry.name === given);
  if (found) return found;
  const task = tasks.find((entry) => given.startsWith(`${entry}-`));
  throw task ? unknownVersion(name, task) : unknownTask(name);
}

/** The tasks that a name or a pattern with `*` and `?` stands for, in the order of their names. */
export function tasksMatching(pattern: string): readonly NamedTask[] {
  if (!/[*?]/.test(pattern)) return [taskNamed(pattern)];
  const source = canonical(pattern)
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const found = namedTasks.filter(({ name }) => new RegExp(`^${source}$`).test(name));
  if (found.length > 0) return found;
  throw unknownTask(pattern);
}

function canonical(name: string): string {
  const [head = '', ...rest] = name.trim().split('-');
  return [aliases[head] ?? head, ...rest].join('-').replace(/-1\.0-0\.0$/, '');
}

function unknownVersion(name: string, task: Task): ConfigError {
  const names = taskVersions[task].map((version) => nameOf(task, version));
  const wanted = canonical(name)
    .slice(`${task}-`.length)
    .replace(/^1\.0-/, '');
  const other = standIn(wanted, taskVersions[task]);
  const near = nearestName(canonical(name), names);
  const instead = other
    ? `\`${nameOf(task, other)}\` stands in for it. `
    : near
      ? `Did you mean \`${near}\`? `
      : '';
  return new ConfigError('task.unknown_version', `\`${task}\` has no template \`${name}\``, {
    hint: `${instead}It has ${names.join(', ')}.`,
  });
}

function unknownTask(name: string): ConfigError {
  const near = nearestName(canonical(name), [...namedTasks.map((entry) => entry.name), ...tasks]);
  return new ConfigError('task.unknown', `unknown task \`${name}\``, {
    hint: `${near ? `Did you mean \`${near}\`? ` : ''}Tasks: ${tasks.join(', ')}; \`typecase list templates\` shows their versions.`,
  });
}
