import type { Evaluation } from '../evaluation/evaluation.ts';

/** An evaluation, and where its results go. */
export interface StoredEvaluation {
  readonly evaluation: Evaluation;
  readonly logFile: string;
  readonly indexFile: string;
  /** Evaluations of one group begin their prompts alike, and take turns. */
  readonly group?: string | undefined;
}

/** Evaluations that are to take turns, together. */
export function groupTurns<Item>(
  items: readonly Item[],
  storedOf: (item: Item) => Pick<StoredEvaluation, 'group'>,
): Item[][] {
  const groups = new Map<unknown, Item[]>();
  for (const item of items) {
    const key = storedOf(item).group ?? item;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}
