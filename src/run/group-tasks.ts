interface TurnTask {
  readonly settings: { readonly turns?: string | undefined };
}

/** Tasks that are to take turns, together. */
export function groupTasks<Task extends TurnTask>(tasks: readonly Task[]): Task[][] {
  const groups = new Map<unknown, Task[]>();
  for (const task of tasks) {
    const key = task.settings.turns ?? task;
    groups.set(key, [...(groups.get(key) ?? []), task]);
  }
  return [...groups.values()];
}
