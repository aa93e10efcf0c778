import { chosenAxes, configurationsOf, rowsOf } from './configurations.ts';
import { type Candidates, crossFit } from './cross-fit.ts';
import { describeChoice } from './headline.ts';
import { findLeaders } from './leading.ts';
import { countUnits, type Sheet } from './sheet.ts';
import type { BestConfiguration, ValueComparison } from './sweep-summary.ts';
import { findHighest } from './ties.ts';

/** Fewer rows than this leave a half that could not tell configurations apart. */
const fewestRowsToChoose = 20;
const fewestClustersToChoose = 10;

/** How many rows, or clusters of rows, it takes to choose. */
export function fewestToChoose({ clusters }: { readonly clusters?: unknown }): number {
  return clusters ? fewestClustersToChoose : fewestRowsToChoose;
}

export interface BestOptions {
  readonly seed: number;
  /** Those of all sheets, in their order. */
  readonly comparisons: readonly ValueComparison[];
}

/** What to use for some datasets of one model; nothing if they leave no choice. */
export function findBest(
  sheets: readonly Sheet[],
  { seed, comparisons }: BestOptions,
): BestConfiguration | undefined {
  const [first] = sheets;
  const axes = chosenAxes(sheets);
  const configurations = configurationsOf(sheets, axes);
  if (!first || configurations.length < 2 || sheets.some(({ ids }) => ids.length === 0)) {
    return undefined;
  }
  const tasks = sheets.map(
    (sheet): Candidates => ({
      ...sheet,
      scores: configurations.map((settings) => rowsOf(sheet, settings)),
    }),
  );
  const means = configurations.map((_, place) => averageOf(tasks, place));
  const sign = first.direction === 'lower' ? -1 : 1;
  const [best = 0] = findHighest(means.map((mean) => sign * mean));
  const naive = means[best] ?? 0;
  const isEnough = sheets.every((sheet) => countUnits(sheet) >= fewestToChoose(sheet));
  const fitted = isEnough ? crossFit(tasks, seed) : undefined;
  const leaders = findLeaders({ configurations, tasks, best, comparisons });
  const scored = configurations.map((settings, place) => ({ settings, score: means[place] ?? 0 }));
  return {
    model: first.model,
    datasets: sheets.map(({ dataset }) => dataset),
    ...describeChoice({
      configurations: scored,
      leaders,
      kind: first,
      canTell: comparisons.length > 0,
    }),
    settings: configurations[best] ?? {},
    of: configurations.length,
    leaders,
    naive,
    ...(fitted && { honest: fitted.score, optimism: sign * (naive - fitted.score.value) }),
    choices: configurations
      .map((settings, place) => ({ settings, share: fitted?.chosen[place] ?? 0 }))
      .filter(({ share }) => share > 0)
      .toSorted((left, right) => right.share - left.share),
    ...(fitted?.hasTies && { hasTies: true }),
  };
}

function averageOf(tasks: readonly Candidates[], place: number): number {
  const means = tasks.map(({ scores }) => {
    const rows = scores[place] ?? new Float64Array();
    return rows.reduce((sum, score) => sum + score, 0) / rows.length;
  });
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}
