import { UsageError } from '../../../base/usage-error.ts';
import type { Dialect } from '../templates/dialects.ts';
import { type NamedTask, tasksMatching } from '../templates/task-names.ts';

/** A task, and how many examples it is asked with. */
export interface TaskShots {
  readonly named: NamedTask;
  readonly numFewshot: number;
}

export interface ShotLists {
  readonly tasks: string;
  readonly num_fewshot: string;
  readonly dialect: Dialect;
  /** Pairs as the original did. */
  readonly compat: boolean;
}

/** Pairs tasks with numbers of examples: one for all, or one for each name in the order given. */
export function shotsOfTasks(lists: ShotLists): TaskShots[] {
  const entries = split(lists.tasks).map(tasksMatching);
  const shots = split(lists.num_fewshot).map(readCount);
  if (lists.compat) return pairAsOriginal(lists, { entries, shots });
  if (shots.length > 1) requireEqual(shots.length, entries.length);
  return unique(
    entries.flatMap((matching, index) =>
      matching.map((named) => ({ named, numFewshot: shots[index] ?? shots[0] ?? 0 })),
    ),
  );
}

function split(list: string): string[] {
  const items = list.split(',').map((item) => item.trim());
  if (items.every((item) => item !== '')) return items;
  throw new UsageError('usage.empty_item', `the list \`${list}\` has an empty item`, {
    hint: 'Separate names and counts with single commas.',
  });
}

function readCount(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError('usage.bad_count', `\`${text}\` is not a number of examples`, {
    hint: 'Give whole numbers, 0 or above, such as --num_fewshot "2,3,3,3".',
  });
}

interface Parsed {
  readonly entries: readonly (readonly NamedTask[])[];
  readonly shots: readonly number[];
}

/** The first release sorted the names before it paired them; later ones know a single count. */
function pairAsOriginal(
  { num_fewshot, dialect }: ShotLists,
  { entries, shots }: Parsed,
): TaskShots[] {
  const named = unique(entries.flat().map((task) => ({ named: task, numFewshot: 0 })));
  named.sort((left, right) => (left.named.name < right.named.name ? -1 : 1));
  const isOne = dialect === 'v0.1.0' ? num_fewshot.length === 1 : true;
  if (!isOne) requireEqual(shots.length, named.length);
  if (isOne && shots.length > 1) requireEqual(shots.length, 1);
  return named.map((task, index) => ({ ...task, numFewshot: shots[isOne ? 0 : index] ?? 0 }));
}

function unique(tasks: readonly TaskShots[]): TaskShots[] {
  return [...new Map(tasks.map((task) => [task.named.name, task])).values()];
}

function requireEqual(given: number, wanted: number): void {
  if (given === wanted) return;
  const counts = `${given} count${given === 1 ? '' : 's'} of examples`;
  throw new UsageError(
    'usage.list_length',
    `${counts} for ${wanted} task${wanted === 1 ? '' : 's'}`,
    { hint: 'Give one count for all tasks, or one per name of --tasks, in the same order.' },
  );
}
