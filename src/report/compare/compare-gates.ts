import { countOf, formatCount } from '../../base/format.ts';
import { formatSize } from '../../study/compare/compare-format.ts';
import type { Assessment, Comparison, TaskComparison } from '../../study/compare/comparison.ts';

/** What B must not do. */
export interface CompareGates {
  /** Rows must be asked the same in both runs. */
  readonly requireSamePrompts?: boolean | undefined;
  /** B must not be significantly worse on a task. */
  readonly failIfWorse?: boolean | undefined;
  /** The most rows of a task that may be worse in B. */
  readonly maxRegressions?: number | undefined;
  /** How much lower the score of a task may be in B. */
  readonly maxDrop?: DropLimit | undefined;
}

/** Points as tables show them, or a share of A's score. */
export type DropLimit =
  | { readonly type: 'points'; readonly points: number }
  | { readonly type: 'share'; readonly share: number };

/**
 * What a comparison breaks of its gates, in sentences with figures; nothing if all hold.
 *
 * @example
 * const comparison = await compareRuns('runs/a', 'runs/b');
 * brokenGates(comparison, { maxRegressions: 2 });
 * // ['sums: 5 rows are worse in B; at most 2 may be (--max-regressions).']
 */
export function brokenGates(
  { differences, tasks }: Pick<Comparison, 'differences' | 'tasks'>,
  gates: CompareGates,
): string[] {
  const prompts = differences.find(({ kind }) => kind === 'prompts');
  const areOther = gates.requireSamePrompts && prompts?.isSame === false;
  return [
    ...(areOther ? [`Prompts differ ${prompts?.note} (--require-same-prompts).`] : []),
    ...tasks.flatMap((task) => [
      ...(gates.failIfWorse ? worse(task) : []),
      ...(gates.maxRegressions === undefined ? [] : regressed(task, gates.maxRegressions)),
      ...(gates.maxDrop === undefined ? [] : dropped(task, gates.maxDrop)),
    ]),
  ];
}

function worse({ name, verdict }: TaskComparison): string[] {
  return verdict.type === 'a-better' ? [`${name}: B is worse (--fail-if-worse).`] : [];
}

function regressed({ name, regressions }: TaskComparison, most: number): string[] {
  if (regressions <= most) return [];
  const told = `${countOf(regressions, 'row')} ${regressions === 1 ? 'is' : 'are'} worse in B`;
  return [`${name}: ${told}; at most ${formatCount(most)} may be (--max-regressions).`];
}

/** Rows without a score cannot hide a loss: of the two ways to count them the worse one counts. */
function dropped(task: TaskComparison, limit: DropLimit): string[] {
  const { name, result, countedAsWrong, scale } = task;
  const drops = [result, countedAsWrong].flatMap((one) => one ?? []);
  const [first] = drops;
  if (!first) return [`${name}: no row is scored on both sides (--max-drop).`];
  const most = drops.reduce((one, other) =>
    dropOf(other, task) > dropOf(one, task) ? other : one,
  );
  const drop = dropOf(most, task);
  const allowed =
    limit.type === 'points'
      ? limit.points / (scale.isShare ? 100 : 1)
      : limit.share * Math.abs(most.a);
  // Differences of scores are off by a rounding.
  if (drop <= allowed + 1e-9) return [];
  const told = `B is ${formatSize(drop, scale)} worse than A`;
  return [`${name}: ${told}; at most ${formatSize(allowed, scale)} may be lost (--max-drop).`];
}

function dropOf({ difference }: Assessment, { scale }: TaskComparison): number {
  return scale.direction === 'higher' ? -difference : difference;
}
