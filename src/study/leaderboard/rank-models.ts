import { hintForName } from '../../base/nearest-name.ts';
import { DataError } from '../../errors.ts';
import type { Estimate } from '../../stats/estimate.ts';
import { groupAverage } from '../../stats/means.ts';
import { firstVersion, standIn } from '../../tasks/stand-in.ts';
import type { ModelResult, TaskScore } from './task-score.ts';

/** A model with its scores under one template. */
export interface RankedModel {
  readonly model: string;
  readonly link: string | undefined;
  readonly files: readonly string[];
  readonly dialect: string | undefined;
  /** The template, or `mixed` where tasks have different ones. */
  readonly template: string;
  /** One for each task, in the order of the columns. */
  readonly scores: readonly TaskScore[];
  readonly average: Estimate;
}

export interface Ranking {
  readonly tasks: readonly string[];
  /** The best first. */
  readonly models: readonly RankedModel[];
  /** Models that no template has results of for all tasks. */
  readonly incomplete: readonly string[];
}

/** Ranks models by the average of their tasks under one template: the wanted, or their best. */
export function rankModels(results: readonly ModelResult[], template?: string): Ranking {
  const wanted = template && versionOf(template);
  const tasks = [
    ...new Set(results.flatMap(({ scores }) => scores.map(({ task }) => task))),
  ].sort();
  const versions = versionsIn(results);
  if (wanted !== undefined) requireVersion(wanted, [...new Set([...versions.values()].flat())]);
  const names = [...new Set(results.map(({ model }) => model))];
  const ranked = names.map((name) => {
    const groups = joinResults(results.filter(({ model }) => model === name));
    const candidates = groups.flatMap((group) => candidatesOf(group, { tasks, versions }));
    const fitting = candidates.filter(({ template }) => (wanted ?? template) === template);
    return fitting.reduce<RankedModel | undefined>(
      (best, next) => (best && best.average.value >= next.average.value ? best : next),
      undefined,
    );
  });
  const models = ranked.flatMap((model) => model ?? []);
  return {
    tasks,
    models: models.sort((left, right) => right.average.value - left.average.value),
    incomplete: names.filter((_, index) => ranked[index] === undefined),
  };
}

/** `1.0-0.2` and `default` are the original's words. */
function versionOf(template: string): string {
  return template === 'default' ? firstVersion : template.replace(/^1\.0-/, '');
}

type Versions = ReadonlyMap<string, readonly string[]>;

function versionsIn(results: readonly ModelResult[]): Versions {
  const versions = new Map<string, string[]>();
  for (const { task, version } of results.flatMap(({ scores }) => scores)) {
    const known = versions.get(task) ?? [];
    if (!known.includes(version)) versions.set(task, [...known, version].sort());
  }
  return versions;
}

function requireVersion(wanted: string, known: readonly string[]): void {
  if (known.includes(wanted)) return;
  throw new DataError(
    'leaderboard.unknown_template',
    `no result is under the template \`${wanted}\``,
    {
      hint: hintForName(wanted, { names: known.toSorted(), kind: 'Templates' }),
    },
  );
}

interface ResultGroup {
  readonly files: readonly string[];
  readonly dialect: string | undefined;
  readonly link: string | undefined;
  readonly model: string;
  readonly scores: readonly TaskScore[];
}

/** Joins files of a model that complete each other; those that repeat a score stay apart. */
function joinResults(results: readonly ModelResult[]): ResultGroup[] {
  const groups: ResultGroup[] = [];
  for (const { file, ...result } of results) {
    const place = groups.findIndex(
      (group) =>
        group.dialect === result.dialect &&
        !group.scores.some((own) => result.scores.some((other) => isSameName(own, other))),
    );
    const group = groups[place];
    const { model, dialect, link } = result;
    if (!group) groups.push({ model, dialect, link, scores: result.scores, files: [file] });
    else {
      const scores = [...group.scores, ...result.scores];
      groups[place] = { ...group, scores, files: [...group.files, file] };
    }
  }
  return groups;
}

function isSameName(left: TaskScore, right: TaskScore): boolean {
  return left.task === right.task && left.version === right.version;
}

interface Columns {
  readonly tasks: readonly string[];
  readonly versions: Versions;
}

/** A group under each template that it has all tasks for; with stand-ins for missing versions. */
function candidatesOf(group: ResultGroup, { tasks, versions }: Columns): RankedModel[] {
  const { scores, ...rest } = group;
  const all = [...new Set([...versions.values()].flat())].sort();
  const sets = all.flatMap((template) => {
    const found = tasks.map((task) => {
      const version = standIn(template, versions.get(task) ?? []);
      return scores.find((score) => score.task === task && score.version === version);
    });
    return candidate({ ...rest, template }, found);
  });
  if (sets.length > 0) return sets;
  const own = tasks.map((task) => {
    const found = scores.filter((score) => score.task === task);
    return found.length === 1 ? found[0] : undefined;
  });
  return candidate({ ...rest, template: 'mixed' }, own);
}

function candidate(
  parts: Omit<RankedModel, 'scores' | 'average'>,
  found: readonly (TaskScore | undefined)[],
): RankedModel[] {
  const scores = found.flatMap((score) => score ?? []);
  const average = groupAverage(scores.map(({ score }) => score));
  if (scores.length < found.length || !average) return [];
  return [{ ...parts, scores, average }];
}
