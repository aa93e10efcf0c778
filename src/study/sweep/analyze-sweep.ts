import { varianceComponents } from '../../stats/variance-components.ts';
import { fewestToChoose, findBest } from './best-configuration.ts';
import { findChangingRows } from './changing-rows.ts';
import { compareValues, fewestRows, level } from './compare-values.ts';
import { chosenAxes } from './configurations.ts';
import { meanScore } from './mean-score.ts';
import { averageRows, countUnits, describeUnits, type Sheet, valuesOf } from './sheet.ts';
import {
  type AxisName,
  axisNames,
  type RankFlip,
  type ScoreKind,
  type SheetSummary,
  type Spread,
  type SweepSummary,
  type SweptAxis,
  type TemplateSummary,
  type ValueComparison,
  type VariancePart,
} from './sweep-summary.ts';
import { compareScores, isSame } from './ties.ts';

export interface AnalyzeOptions {
  readonly seed: number;
  /** One template has to serve all datasets. */
  readonly sameTemplate: boolean;
  /** The most changing rows that are listed. */
  readonly maxRows: number;
}

/** What the scores of a sweep say. */
export type SweepFindings = Pick<SweepSummary, 'level' | 'axes' | 'sheets' | 'best' | 'flips'>;

export function analyzeSweep(sheets: readonly Sheet[], options: AnalyzeOptions): SweepFindings {
  const compared = compareValues(sheets);
  const needed = fewestRows(compared.flat().length);
  const results = sheets.map((sheet, place) =>
    analyzeSheet(sheet, {
      comparisons: compared[place] ?? [],
      maxRows: options.maxRows,
      needed,
    }),
  );
  return {
    level,
    axes: axesOf(sheets),
    sheets: results,
    best: groupsOf(sheets, options.sameTemplate).flatMap((group) => {
      const comparisons = group.flatMap((sheet) => compared[sheets.indexOf(sheet)] ?? []);
      return findBest(group, { seed: options.seed, comparisons }) ?? [];
    }),
    flips: findRankFlips(results),
  };
}

function axesOf(sheets: readonly Sheet[]): SweptAxis[] {
  return axisNames
    .map((axis) => ({
      axis,
      values: [...new Set(sheets.flatMap((sheet) => valuesOf(sheet, axis)))],
    }))
    .filter(({ values }) => values.length > 0);
}

/** The sheets that one template is chosen for. */
function groupsOf(sheets: readonly Sheet[], sameTemplate: boolean): (readonly Sheet[])[] {
  if (!sameTemplate) return sheets.map((sheet) => [sheet]);
  const models = [...new Set(sheets.map(({ model }) => model))];
  return models.map((model) => sheets.filter((sheet) => sheet.model === model));
}

interface SheetParts {
  readonly comparisons: readonly ValueComparison[];
  readonly maxRows: number;
  /** With fewer rows no comparison can be significant. */
  readonly needed: number;
}

function analyzeSheet(sheet: Sheet, { comparisons, maxRows, needed }: SheetParts): SheetSummary {
  const { model, dataset, metric, direction, plain } = sheet;
  const kind: ScoreKind = { metric, ...(direction && { direction }), ...(plain && { plain }) };
  const templates = valuesOf(sheet, 'template')
    .map((template) => ({
      template,
      score: meanScore(averageRows(sheet, 'template', template), sheet),
    }))
    .toSorted((left, right) =>
      compareScores(left.score?.value ?? 0, right.score?.value ?? 0, kind),
    );
  return {
    model,
    dataset,
    ...kind,
    rows: sheet.ids.length,
    ...(sheet.clusters && { clusters: { by: sheet.clusters.by, count: countUnits(sheet) } }),
    cells: sheet.cells.map(({ abbr, settings, scores }) => ({
      abbr,
      settings,
      score: meanScore(scores, sheet),
    })),
    templates,
    spread: spreadOf(templates),
    variance: splitVariance(sheet),
    comparisons,
    changing: findChangingRows(sheet, maxRows),
    remarks: [...sheet.remarks, ...clusterRemark(sheet), ...limitsOf(sheet, needed)],
  };
}

function spreadOf(templates: readonly TemplateSummary[]): Spread | undefined {
  const scores = templates.flatMap(({ score }) => score?.value ?? []);
  const worst = templates.at(-1);
  if (!worst || scores.length < 2) return undefined;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  return {
    range: rangeOf(scores),
    deviation: Math.sqrt(squares / (scores.length - 1)),
    worst: worst.template,
  };
}

/** What subtraction leaves in the last places could round otherwise than the comparison does. */
function rangeOf(scores: readonly number[]): number {
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  return isSame(lowest, highest) ? 0 : Number((highest - lowest).toPrecision(12));
}

function clusterRemark(sheet: Sheet): string[] {
  if (!sheet.clusters) return [];
  const { by } = sheet.clusters;
  return [
    `The rows come in ${describeUnits(sheet)} of \`${by}\`; intervals and tests account for them.`,
  ];
}

/** What cannot be said, and why. */
function limitsOf(sheet: Sheet, needed: number): string[] {
  const units = countUnits(sheet);
  const counted = describeUnits(sheet);
  const fewest = fewestToChoose(sheet);
  const isCompared = axisNames.some((axis) => valuesOf(sheet, axis).length > 1);
  const hasChoice = chosenAxes([sheet]).length > 0;
  if (!isCompared) return ['Nothing was varied, so there is nothing to compare.'];
  if (units === 0) return ['No row is scored in every cell, so nothing can be compared.'];
  return [
    ...(units < needed
      ? [
          `${counted} cannot show any difference, whatever the scores; at least ${needed} are needed.`,
        ]
      : []),
    ...(hasChoice && units >= needed && units < fewest
      ? [
          `${counted} are too few to select on one half and score on the other; ${fewest} are needed.`,
        ]
      : []),
  ];
}

interface ModelComparisons {
  readonly model: string;
  readonly dataset: string;
  readonly comparisons: readonly ValueComparison[];
}

/** Pairs of templates whose order depends on the model, clear ones first. */
function findRankFlips(sheets: readonly ModelComparisons[]): RankFlip[] {
  const flips = sheets.flatMap((first, place) =>
    sheets
      .slice(place + 1)
      .filter(({ dataset, model }) => dataset === first.dataset && model !== first.model)
      .flatMap((second) => flipsBetween(first, second)),
  );
  return flips.toSorted((left, right) => Number(right.isClear) - Number(left.isClear));
}

function flipsBetween(first: ModelComparisons, second: ModelComparisons): RankFlip[] {
  const templates = first.comparisons.filter(({ axis }) => axis === 'template');
  return templates.flatMap((one) => {
    const other = second.comparisons.find(
      ({ axis, a, b }) => axis === one.axis && a === one.a && b === one.b,
    );
    if (!other || isSame(one.difference.value, 0) || isSame(other.difference.value, 0)) return [];
    if (one.difference.value > 0 === other.difference.value > 0) return [];
    return [
      {
        dataset: first.dataset,
        models: [first.model, second.model] as const,
        templates: [one.a, one.b] as const,
        differences: [one.difference.value, other.difference.value] as const,
        isClear: one.isDifferent && other.isDifferent,
      },
    ];
  });
}

type Factor = AxisName | 'rows' | 'clusters';

/** The scores of rows, or the means of their clusters. */
function unitScores(scores: Float64Array, { clusters }: Sheet): number[] {
  if (!clusters) return [...scores];
  const means = new Map<string, { sum: number; rows: number }>();
  for (const [row, score] of scores.entries()) {
    const name = clusters.names[row] ?? '';
    const { sum, rows } = means.get(name) ?? { sum: 0, rows: 0 };
    means.set(name, { sum: sum + score, rows: rows + 1 });
  }
  return Array.from(means.values(), ({ sum, rows }) => sum / rows);
}

/**
 * Splits the variance of the scores of a sheet by axis and rows; nothing if no axis has two values,
 * or there are too few rows. Rows of one cluster are not independent: where there are clusters it is
 * that of their means.
 */
function splitVariance(sheet: Sheet): VariancePart[] | undefined {
  const axes = axisNames
    .map((axis) => ({ axis, values: valuesOf(sheet, axis) }))
    .filter(({ values }) => values.length > 1);
  const rows = countUnits(sheet);
  const size = axes.reduce((product, { values }) => product * values.length, 1);
  if (axes.length === 0 || rows < 2 || sheet.cells.length !== size) return undefined;
  const placeOf = ({ settings }: Sheet['cells'][number]) =>
    axes.reduce(
      (place, { axis, values }) => place * values.length + values.indexOf(settings[axis] ?? ''),
      0,
    );
  const ordered = sheet.cells.toSorted((left, right) => placeOf(left) - placeOf(right));
  const names = axes.map(({ axis }) => axis);
  const both: readonly Factor[] = ['template', 'shots'];
  const parts = varianceComponents<Factor>({
    factors: [
      ...axes.map(({ axis, values }) => ({ name: axis, levels: values.length })),
      { name: sheet.clusters ? 'clusters' : 'rows', levels: rows },
    ],
    values: Float64Array.from(ordered.flatMap(({ scores }) => unitScores(scores, sheet))),
    ...(names.includes('template') && names.includes('shots') && { interactions: [both] }),
  });
  return parts.map(({ factors, ...part }) => ({
    source: factors.length === 0 ? 'rest' : factors.join(' × '),
    ...part,
  }));
}
