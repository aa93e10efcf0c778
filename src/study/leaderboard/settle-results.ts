import type { ModelResult, TaskScore } from './task-score.ts';

/** All scores of one model whose prompts were made by one dialect. */
export interface ModelScores {
  readonly model: string;
  readonly link: string | undefined;
  readonly dialect: string | undefined;
  readonly scores: readonly TaskScore[];
}

/** The results of models, whichever files they come from. */
export function groupResults(results: readonly ModelResult[]): ModelScores[] {
  const groups = new Map<string, ModelScores>();
  for (const { model, dialect, link, scores } of results) {
    const key = JSON.stringify([model, dialect ?? null]);
    const known = groups.get(key) ?? { model, dialect, link, scores: [] };
    groups.set(key, {
      ...known,
      link: known.link ?? link,
      scores: [...known.scores, ...scores],
    });
  }
  return [...groups.values()];
}

/**
 * Of several scores of one model on one task under one template the complete one counts, then the one
 * over more rows, then the one whose file has most of what is wanted, then the first: never the best.
 */
export function settle(
  wanted: readonly (readonly TaskScore[])[],
): readonly (TaskScore | undefined)[] {
  const files = new Map<string, number>();
  for (const { file } of wanted.flat()) files.set(file, (files.get(file) ?? 0) + 1);
  const weight = ({ file }: TaskScore) => files.get(file) ?? 0;
  return wanted.map((scores) => {
    const [first] = scores.toSorted(
      (left, right) =>
        lackOf(left) - lackOf(right) || right.count - left.count || weight(right) - weight(left),
    );
    return first;
  });
}

/** What a score lacks of all rows: nothing, some that nobody asked or scored. */
function lackOf({ isPartial, leavesOut = false }: TaskScore): number {
  return Number(isPartial || leavesOut);
}

/** Whether scores are of the same task under the same template. */
export function isSameTask(left: TaskScore, right: TaskScore): boolean {
  return left.task === right.task && left.version === right.version;
}

/** Whether two files say the same, such as a result file and the folder of its run. */
export function isRepeated(left: TaskScore, right: TaskScore): boolean {
  return (
    left.shots === right.shots &&
    left.count === right.count &&
    Math.abs(left.score.value - right.score.value) < 1e-9
  );
}
