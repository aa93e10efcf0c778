import { hintForName } from '../../base/nearest-name.ts';
import { DataError } from '../../errors.ts';
import type { Estimate } from '../../stats/estimate.ts';
import { groupAverage } from '../../stats/means.ts';
import { firstVersion, standIn } from '../../tasks/stand-in.ts';
import { honestAverage } from './honest-average.ts';
import { correlationOf, type UnitOfRow } from './row-units.ts';
import { isRepeated, isSameTask, type ModelScores, settle } from './settle-results.ts';
import type { TaskScore } from './task-score.ts';

/** A model with its scores under one template, or under one for each task. */
export interface BoardModel {
  readonly model: string;
  readonly link: string | undefined;
  readonly dialect: string | undefined;
  /** The template, or `mixed` where tasks have different ones. */
  readonly template: string;
  /** One for each task, in the order of the columns; nothing where the model has none. */
  readonly cells: readonly (BoardCell | undefined)[];
  /** How many templates the one was chosen from. */
  readonly tried: number;
}

export interface BoardCell extends TaskScore {
  /** How many templates the model's best on this task was chosen from, where each task has its own. */
  readonly tried: number;
  /** Other scores of the model on the task under the same template. */
  readonly setAside: readonly TaskScore[];
}

/** A model with scores for all tasks. */
export interface RankedModel extends BoardModel {
  readonly cells: readonly BoardCell[];
  readonly average: Estimate;
  /** What to expect of a template chosen so, on rows that had no part in the choice. */
  readonly honest?: Estimate | undefined;
  /** From 1; models with the same average share it. */
  readonly rank: number;
  readonly isTied: boolean;
}

export interface Ranking {
  readonly tasks: readonly string[];
  /** The best first. */
  readonly models: readonly RankedModel[];
  /** Models without scores for all tasks, which cannot be ranked. */
  readonly unranked: readonly BoardModel[];
}

export interface RankOptions {
  /** The wanted template; left out, each model's best. */
  readonly template?: string | undefined;
  readonly units: UnitOfRow;
}

/**
 * Ranks models by the average of their tasks under one template: the wanted, or their best. Models
 * whose scores leave out rows come after all others, whatever they score.
 */
export function rankModels(
  groups: readonly ModelScores[],
  { template, units }: RankOptions,
): Ranking {
  const wanted = template === undefined ? undefined : versionOf(template);
  const columns = columnsOf(groups);
  if (wanted !== undefined)
    requireVersion(wanted, [...new Set([...columns.versions.values()].flat())]);
  const names = [...new Set(groups.map(({ model }) => model))];
  const chosen = names.map((name) => {
    const own = groups.filter(({ model }) => model === name);
    return chooseCandidate(
      own.flatMap((group) => candidatesOf(group, { ...columns, wanted, units })),
    );
  });
  const complete = chosen.flatMap((one) => (one && 'average' in one ? [one] : []));
  return {
    tasks: columns.tasks,
    models: rank(complete),
    unranked: chosen.flatMap((one) => (one && !('average' in one) ? [one] : [])),
  };
}

/** Averages that are equal but for rounding are equal. */
const rounding = 1e-9;

function rank(models: readonly Unranked[]): RankedModel[] {
  const sorted = models.toSorted(
    (left, right) =>
      Number(leavesOut(left)) - Number(leavesOut(right)) ||
      right.average.value - left.average.value,
  );
  const isBetter = (left: Unranked, right: Unranked) =>
    leavesOut(left) === leavesOut(right)
      ? left.average.value - right.average.value > rounding
      : leavesOut(right);
  return sorted.map((model) => {
    const ahead = sorted.filter((other) => isBetter(other, model)).length;
    const behind = sorted.filter((other) => isBetter(model, other)).length;
    return { ...model, rank: ahead + 1, isTied: ahead + behind < sorted.length - 1 };
  });
}

function leavesOut({ cells }: Unranked): boolean {
  return cells.some((cell) => cell.leavesOut);
}

/** `1.0-0.2` and `default` are the original's words. */
function versionOf(template: string): string {
  return template === 'default' ? firstVersion : template.replace(/^1\.0-/, '');
}

interface Columns {
  readonly tasks: readonly string[];
  /** The versions that there are results of, by task. */
  readonly versions: ReadonlyMap<string, readonly string[]>;
}

function columnsOf(groups: readonly ModelScores[]): Columns {
  const versions = new Map<string, string[]>();
  for (const { task, version } of groups.flatMap(({ scores }) => scores)) {
    const known = versions.get(task) ?? [];
    if (!known.includes(version)) versions.set(task, [...known, version].sort());
  }
  return { tasks: [...versions.keys()].sort(), versions };
}

function requireVersion(wanted: string, known: readonly string[]): void {
  if (known.includes(wanted)) return;
  throw new DataError('leaderboard.unknown_template', `No result uses the template \`${wanted}\``, {
    hint: hintForName(wanted, { names: known.toSorted(), kind: 'Templates' }),
  });
}

type Unranked = Omit<RankedModel, 'rank' | 'isTied'>;
type Candidate = BoardModel | Unranked;

/** The best of those with all tasks, which is then one of so many; else what has most of them. */
function chooseCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  const complete = candidates.flatMap((one) => ('average' in one ? [one] : []));
  const same = complete.filter(({ template }) => template !== 'mixed');
  const [first, ...others] = same.length > 0 ? same : complete;
  if (first) {
    const best = others.reduce(
      (best, next) => (next.average.value > best.average.value ? next : best),
      first,
    );
    const tried = others.length + 1;
    if (tried === 1) return best;
    return { ...best, tried, honest: honestAverage([first, ...others].map(({ cells }) => cells)) };
  }
  return candidates.toSorted((left, right) => known(right) - known(left))[0];
}

function known({ cells }: BoardModel): number {
  return cells.filter((cell) => cell !== undefined).length;
}

interface Choice extends Columns {
  readonly wanted: string | undefined;
  readonly units: UnitOfRow;
}

/** A group under each template, with stand-ins for missing versions; and with each task's best. */
function candidatesOf(group: ModelScores, { tasks, versions, wanted, units }: Choice): Candidate[] {
  const { scores, ...rest } = group;
  const all = [...new Set([...versions.values()].flat())].sort();
  const templates = wanted === undefined ? all : [wanted];
  const same = templates.map((template) => {
    const found = tasks.map((task) => {
      const version = standIn(template, versions.get(task) ?? []);
      return scores.filter((score) => score.task === task && score.version === version);
    });
    const cells = settle(found).map((score) => score && cellOf(score, scores));
    return candidate({ ...rest, template, cells, tried: 1 }, units);
  });
  const found = same.filter((one) => known(one) > 0);
  if (wanted !== undefined || same.some((one) => 'average' in one)) return found;
  const best = tasks.map((task) => {
    const own = versions.get(task) ?? [];
    const found = own.map((version) =>
      scores.filter((score) => score.task === task && score.version === version),
    );
    return bestOf(settle(found).flatMap((score) => (score ? [cellOf(score, scores)] : [])));
  });
  return [...found, candidate({ ...rest, template: 'mixed', cells: best, tried: 1 }, units)];
}

function cellOf(score: TaskScore, all: readonly TaskScore[]): BoardCell {
  const others = all.filter((other) => isSameTask(other, score) && !isRepeated(other, score));
  return { ...score, tried: 1, setAside: others };
}

function bestOf(cells: readonly BoardCell[]): BoardCell | undefined {
  const [first] = cells.toSorted((left, right) => right.score.value - left.score.value);
  return first && { ...first, tried: cells.length };
}

function candidate(model: BoardModel, units: UnitOfRow): Candidate {
  const cells = model.cells.flatMap((cell) => cell ?? []);
  const average = groupAverage(
    cells.map(({ score }) => score),
    { correlation: correlationOf(cells, units) },
  );
  return cells.length < model.cells.length || !average ? model : { ...model, cells, average };
}
