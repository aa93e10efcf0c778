import { countOf, formatCount } from '../../base/format.ts';
import { UsageError } from '../../base/usage-error.ts';
import {
  isWithin,
  type RowLimit,
  readRowLimit,
  rowLimitForm,
  type WrittenRowLimit,
  writeRowLimit,
} from '../../config/gate.ts';
import { checkOptionNames, type OptionNames } from '../../config/known-options.ts';
import { holm } from '../../stats/holm.ts';
import { formatSizes } from '../../study/compare/compare-format.ts';
import type {
  Assessment,
  Comparison,
  Scale,
  TaskComparison,
} from '../../study/compare/comparison.ts';
import { verdictOf } from '../../study/compare/verdict.ts';

/** What B must not do. */
export interface CompareGates {
  /** Rows must be asked the same in both runs. */
  readonly requireSamePrompts?: boolean | undefined;
  /** B must not be significantly worse on a task. */
  readonly failIfWorse?: boolean | undefined;
  /** The most rows of a task that may be worse in B. */
  readonly maxRegressions?: number | undefined;
  /** How much lower the score of a task may be in B: points such as `2.5`, or `'5%'` of A's score. */
  readonly maxDrop?: WrittenDrop | DropLimit | undefined;
  /** How many rows of a task may have no partner in the other run: `3`, or `'5%'` of a run's; 0 by default. */
  readonly allowUnpaired?: WrittenRowLimit | undefined;
}

export const compareGateNames: OptionNames<CompareGates> = {
  requireSamePrompts: true,
  failIfWorse: true,
  maxRegressions: true,
  maxDrop: true,
  allowUnpaired: true,
};

/** As it is written: `2.5` is a number of points, `5%` a part of A's score. */
export type WrittenDrop = number | `${number}%`;

/** Points as tables show them, or a share of A's score. */
export type DropLimit =
  | { readonly type: 'points'; readonly points: number }
  | { readonly type: 'share'; readonly share: number };

/** What a drop has to look like. */
export const dropForm = "points such as 2.5, or a part of A's score such as 5%";

/** Reads a drop; nothing if it is none. */
export function readDrop(value: unknown): DropLimit | undefined {
  if (typeof value === 'object' && value !== null && 'type' in value) return givenDrop(value);
  const [, digits = '', percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(String(value)) ?? [];
  if (digits === '') return undefined;
  return percent
    ? { type: 'share', share: Number(digits) / 100 }
    : { type: 'points', points: Number(digits) };
}

function givenDrop(value: object): DropLimit | undefined {
  const { type, points, share } = value as Readonly<Record<string, unknown>>;
  const size = Number(type === 'points' ? points : type === 'share' ? share : Number.NaN);
  return size >= 0 ? (value as DropLimit) : undefined;
}

/**
 * The gates that a comparison fails, as sentences with figures; empty if all pass. Rows and tasks
 * that only one of the runs has break every gate, unless they are allowed for.
 *
 * @example
 * const comparison = await compareRuns('runs/a', 'runs/b');
 * brokenGates(comparison, { maxRegressions: 2 });
 * // ['sums: 5 rows are worse in B; at most 2 may be (--max-regressions).']
 */
export function brokenGates(
  comparison: Pick<Comparison, 'differences' | 'tasks' | 'level' | 'onlyIn'>,
  gates: CompareGates,
): string[] {
  const { failIfWorse, maxRegressions, requireSamePrompts, drop, unpaired } = readGates(gates);
  const { differences, tasks, onlyIn } = comparison;
  const isGated =
    failIfWorse || requireSamePrompts || maxRegressions !== undefined || drop !== undefined;
  if (!isGated) return [];
  const prompts = differences.find(({ kind }) => kind === 'prompts');
  const areOther = requireSamePrompts && prompts?.isSame === false;
  const worseTasks = failIfWorse ? findWorse(comparison) : undefined;
  return [
    ...sides.flatMap((side) =>
      onlyIn[side].flatMap(({ name, rows }) => lacking({ name, side, rows, of: rows }, unpaired)),
    ),
    ...(areOther ? [`Prompts differ ${prompts?.note} (--require-same-prompts).`] : []),
    ...tasks.flatMap((task) => [
      ...sides.flatMap((side) => lacking(unpairedOf(task, side), unpaired)),
      ...(worseTasks?.get(task) ?? []),
      ...(maxRegressions === undefined ? [] : regressed(task, maxRegressions)),
      ...(drop === undefined ? [] : dropped(task, drop)),
      ...(failIfWorse || drop !== undefined ? uncounted(task, unpaired) : []),
    ]),
  ];
}

function readGates({ maxDrop, allowUnpaired, ...gates }: CompareGates) {
  checkOptionNames({ maxDrop, allowUnpaired, ...gates }, compareGateNames);
  const { maxRegressions } = gates;
  const isCount = Number.isSafeInteger(maxRegressions) && Number(maxRegressions) >= 0;
  if (maxRegressions !== undefined && !isCount)
    throw badGate('maxRegressions', maxRegressions, 'a whole number, 0 or above');
  const drop = readDrop(maxDrop);
  if (maxDrop !== undefined && !drop) throw badGate('maxDrop', maxDrop, dropForm);
  const unpaired = readRowLimit(allowUnpaired ?? 0);
  if (!unpaired) throw badGate('allowUnpaired', allowUnpaired, rowLimitForm);
  return { ...gates, drop, unpaired };
}

function badGate(name: string, value: unknown, wanted: string): UsageError {
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return new UsageError('usage.bad_option', `The option \`${name}\` is ${shown}`, {
    hint: `It must be ${wanted}.`,
  });
}

/** Rows that A lacks are no loss, but nothing is known of what became of them. */
const sides = ['a', 'b'] as const;

interface Lacking {
  readonly name: string;
  /** The run that has them. */
  readonly side: (typeof sides)[number];
  readonly rows: number;
  readonly of: number;
}

function unpairedOf({ name, pairing }: TaskComparison, side: Lacking['side']): Lacking {
  const { rows, unpaired } = pairing;
  return { name, side, rows: unpaired[side], of: rows + unpaired[side] };
}

function lacking({ name, side, rows, of }: Lacking, allowed: RowLimit): string[] {
  if (isWithin(allowed, rows, of)) return [];
  const [own, other] = side === 'a' ? 'AB' : 'BA';
  const told = `${formatCount(rows)} of ${countOf(of, 'row')} of ${own} ${rows === 1 ? 'has' : 'have'} no counterpart in ${other}`;
  return [`${name}: ${told}, allowed ${writeRowLimit(allowed)} (--allow-unpaired).`];
}

/** Where B has lost scores, and the metric has no way to count such rows as wrong. */
function uncounted(
  { name, countedAsWrong, unscored, pairing, scale }: TaskComparison,
  allowed: RowLimit,
): string[] {
  const lost = unscored.b - unscored.a;
  if (countedAsWrong || lost <= 0 || isWithin(allowed, lost, pairing.rows)) return [];
  const told = `${formatCount(unscored.b)} of ${countOf(pairing.rows, 'row')} not scored in B, ${formatCount(unscored.a)} in A`;
  return [
    `${name}: ${told}; ${scale.metric} cannot count them as wrong, allowed ${writeRowLimit(allowed)} (--allow-unpaired).`,
  ];
}

/** B is worse, by the rows that are scored on both sides or with the others counted as wrong. */
function findWorse({
  tasks,
  level,
}: Pick<Comparison, 'tasks' | 'level'>): ReadonlyMap<TaskComparison, readonly string[]> {
  const counted = tasks.map(({ countedAsWrong, result }) => countedAsWrong ?? result);
  const adjusted = holm(counted.map((assessed) => assessed?.p ?? 1));
  const adjustedPassing = holm(tasks.map(({ passing }) => passing?.p ?? 1));
  return new Map(
    tasks.map((task, index) => {
      const { name, result, verdict, scale } = task;
      const flag = '(--fail-if-worse)';
      if (!result) return [task, [`${name}: no row is scored on both sides ${flag}.`]];
      if (verdict.type === 'a-better') return [task, [`${name}: B is worse ${flag}.`]];
      const passing = verdictOf(task.passing, {
        p: adjustedPassing[index] ?? 1,
        level,
        scale: passScale,
      });
      if (passing.type === 'a-better') return [task, [`${name}: fewer rows pass in B ${flag}.`]];
      const asWrong = verdictOf(counted[index], { p: adjusted[index] ?? 1, level, scale });
      return [
        task,
        asWrong.type === 'a-better'
          ? [`${name}: counting unscored rows as wrong, B is worse ${flag}.`]
          : [],
      ];
    }),
  );
}

function regressed({ name, regressions }: TaskComparison, most: number): string[] {
  if (regressions <= most) return [];
  const told = `${countOf(regressions, 'row')} ${regressions === 1 ? 'is' : 'are'} worse in B`;
  return [`${name}: ${told}; at most ${formatCount(most)} allowed (--max-regressions).`];
}

/** Rows without a score cannot hide a loss: of the two ways to count them the worse one counts. */
function dropped(task: TaskComparison, limit: DropLimit): string[] {
  return [...droppedScore(task, limit), ...droppedPasses(task, limit)];
}

const passScale: Scale = { metric: 'pass rate', isShare: true, direction: 'higher' };

/** A row may keep its score and pass no more. */
function droppedPasses({ name, passing }: TaskComparison, limit: DropLimit): string[] {
  if (!passing) return [];
  const allowed = limit.type === 'points' ? limit.points / 100 : limit.share * passing.a;
  const drop = -passing.difference;
  if (drop <= allowed + 1e-9) return [];
  const [lost, most] = formatSizes([drop, allowed], passScale);
  return [`${name}: ${lost} fewer rows pass in B; at most ${most} may be lost (--max-drop).`];
}

function droppedScore(task: TaskComparison, limit: DropLimit): string[] {
  const { name, result, countedAsWrong, scale } = task;
  const drops = [result, countedAsWrong].flatMap((one) => one ?? []);
  const [first] = drops;
  if (!first) return [`${name}: no row is scored on both sides (--max-drop).`];
  const worst = drops.reduce((one, other) =>
    dropOf(other, task) > dropOf(one, task) ? other : one,
  );
  const drop = dropOf(worst, task);
  const allowed =
    limit.type === 'points'
      ? limit.points / (scale.isShare ? 100 : 1)
      : limit.share * Math.abs(worst.a);
  // Differences of scores are off by a rounding.
  if (drop <= allowed + 1e-9) return [];
  const [lost, most] = formatSizes([drop, allowed], scale);
  return [`${name}: B is ${lost} worse than A; at most ${most} allowed (--max-drop).`];
}

function dropOf({ difference }: Assessment, { scale }: TaskComparison): number {
  return scale.direction === 'higher' ? -difference : difference;
}
