import { hintForName } from '../../base/nearest-name.ts';
import { UsageError } from '../../base/usage-error.ts';
import { DataError } from '../../errors.ts';
import type { ServedModel } from '../../run/served-models.ts';
import { holm } from '../../stats/holm.ts';
import { checkSameVersion, type FoundStamp } from '../../tasks/version-stamp.ts';
import { compareModels, type ModelComparison } from './compare-models.ts';
import { nameModels } from './name-models.ts';
import { nameMetrics, nameTexts } from './name-results.ts';
import { type BoardModel, type RankedModel, rankModels } from './rank-models.ts';
import { findUnits, type UnitOfRow } from './row-units.ts';
import { groupResults } from './settle-results.ts';
import type { ModelResult } from './task-score.ts';

/** Models ranked by their results, and what can be said of their ranks. */
export interface Leaderboard {
  readonly tasks: readonly string[];
  /** The best first. */
  readonly models: readonly PlacedModel[];
  /** Models without scores for all tasks, which cannot be ranked. */
  readonly unranked: readonly BoardModel[];
  /** Each model and the next one. */
  readonly neighbours: readonly JudgedComparison[];
  /** How many pairs of models there are, and how many can be told apart. */
  readonly pairs: { readonly all: number; readonly toldApart: number };
  /** Two models that were asked for. */
  readonly compared?: JudgedComparison | undefined;
  /** Models whose server gave them another name than they were asked as. */
  readonly served: readonly (ServedModel & { readonly file: string })[];
  /** Scores that are no shares of which more is better. */
  readonly otherScores: readonly string[];
  readonly isSynthetic: boolean;
}

export interface PlacedModel extends RankedModel {
  /** The ranks that it may have, with all models that cannot be told apart from it. */
  readonly ranks: readonly [first: number, last: number];
}

export interface JudgedComparison extends ModelComparison {
  /** Adjusted for all comparisons of the table. */
  readonly adjustedP: number;
  readonly isToldApart: boolean;
}

export interface LeaderboardOptions {
  /** One template version for all models; left out, each model's best. */
  readonly template?: string | undefined;
  /** Two models to compare by themselves. */
  readonly compare?: readonly [string, string] | undefined;
}

/** Ranks models by their results, and says which of them cannot be told apart. */
export function makeLeaderboard(
  found: readonly ModelResult[],
  { template, compare }: LeaderboardOptions = {},
): Leaderboard {
  checkVersions(found);
  const results = nameMetrics(nameTexts(nameModels(found)));
  const otherScores = [...new Set(found.flatMap((result) => result.otherScores ?? []))];
  if (results.every(({ scores }) => scores.length === 0)) throw nothingToRank(otherScores);
  const units = findUnits(results.flatMap(({ scores }) => scores));
  const { tasks, models, unranked } = rankModels(groupResults(results), { template, units });
  const judged = judgeAll(models, units);
  return {
    tasks,
    models: models.map((model) => ({ ...model, ranks: ranksOf(model, { models, judged }) })),
    unranked,
    neighbours: models.slice(1).flatMap((worse, index) => {
      const better = models[index] as RankedModel;
      return judged.find((pair) => holds(pair, better) && holds(pair, worse)) ?? [];
    }),
    pairs: {
      all: judged.length,
      toldApart: judged.filter(({ isToldApart }) => isToldApart).length,
    },
    ...(compare && { compared: compareNamed(models, { names: compare, units }) }),
    served: found.flatMap(({ served, file }) => (served ? [{ ...served, file }] : [])),
    otherScores,
    isSynthetic: found.some(({ isSynthetic }) => isSynthetic),
  };
}

function holds({ better, worse }: ModelComparison, model: RankedModel): boolean {
  return better === model || worse === model;
}

function nothingToRank(otherScores: readonly string[]): DataError {
  return new DataError('leaderboard.nothing_to_rank', 'The results have no score to rank by', {
    hint:
      otherScores.length > 0
        ? `Only shares where higher is better are ranked; these results have ${otherScores.join(', ')}. Compare two runs with \`typecase compare\`.`
        : 'Give runs with at least one scored row.',
  });
}

/** One name is one text, in all results. */
function checkVersions(results: readonly ModelResult[]): void {
  const known = new Map<string, FoundStamp>();
  for (const { stamp, file } of results.flatMap(({ scores }) => scores)) {
    if (!stamp) continue;
    const found = { ...stamp, place: file };
    const name = `${stamp.task} ${stamp.version}`;
    const first = known.get(name);
    if (first) checkSameVersion(first, found);
    else known.set(name, found);
  }
}

const level = 0.95;

/** All pairs of models; all claims together hold at 95%. */
function judgeAll(models: readonly RankedModel[], units: UnitOfRow): JudgedComparison[] {
  const pairs = models.flatMap((better, place) =>
    models.slice(place + 1).map((worse) => compareModels(better, worse, units)),
  );
  const adjusted = holm(pairs.map(({ p }) => p));
  return pairs.map((pair, index) => judge(pair, adjusted[index] ?? 1));
}

function judge(pair: ModelComparison, adjustedP: number): JudgedComparison {
  // Rows that a model has no score for and that are left out may have made it the better one.
  const isFlattered = pair.better.cells.some(({ leavesOut }) => leavesOut);
  const isToldApart = adjustedP <= 1 - level && pair.difference.low > 0 && !isFlattered;
  return { ...pair, adjustedP, isToldApart };
}

interface Judged {
  readonly models: readonly RankedModel[];
  readonly judged: readonly JudgedComparison[];
}

function ranksOf(model: RankedModel, { models, judged }: Judged): [number, number] {
  const told = judged.filter(({ isToldApart }) => isToldApart);
  const ahead = told.filter(({ worse }) => worse === model).length;
  const behind = told.filter(({ better }) => better === model).length;
  return [ahead + 1, models.length - behind];
}

function compareNamed(
  models: readonly RankedModel[],
  { names, units }: { readonly names: readonly [string, string]; readonly units: UnitOfRow },
): JudgedComparison {
  const [left, right] = names.map((name) => {
    const found = models.find(({ model }) => model === name);
    if (found) return found;
    throw new UsageError('usage.unknown_name', `The leaderboard has no model \`${name}\``, {
      hint: hintForName(name, { names: models.map(({ model }) => model), kind: 'Models' }),
    });
  }) as [RankedModel, RankedModel];
  if (left === right) {
    throw new UsageError('leaderboard.same_model', `\`${left.model}\` is named twice`, {
      hint: 'Give two models: `--compare A,B`.',
    });
  }
  const pair = compareModels(left, right, units);
  return judge(pair, pair.p);
}
