interface GroupedTask {
  readonly task: { readonly group?: string | undefined };
}

/** Tasks that are to take turns, together. */
export function groupTasks<Grouped extends GroupedTask>(tasks: readonly Grouped[]): Grouped[][] {
  const groups = new Map<unknown, Grouped[]>();
  for (const grouped of tasks) {
    const key = grouped.task.group ?? grouped;
    groups.set(key, [...(groups.get(key) ?? []), grouped]);
  }
  return [...groups.values()];
}
