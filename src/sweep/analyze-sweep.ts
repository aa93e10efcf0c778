import type { Estimate } from '../stats/index.ts';
import { type BestTemplate, fewestRowsToChoose, findBestTemplate } from './best-template.ts';
import { type ChangingRows, findChangingRows } from './changing-rows.ts';
import { compareValues, fewestRows, level, type ValueComparison } from './compare-values.ts';
import { meanScore } from './mean-score.ts';
import { findRankFlips, type RankFlip } from './rank-flips.ts';
import {
  type AxisName,
  averageRows,
  axisNames,
  type CellSettings,
  isBetter,
  type ScoreKind,
  type Sheet,
  valuesOf,
} from './sheet.ts';
import { splitVariance, type VariancePart } from './variance-split.ts';

/** What a sweep found out. */
export interface SweepResult {
  /** Share of intervals that hold the truth, and of sweeps without any false claim. */
  readonly level: number;
  readonly axes: readonly SweptAxis[];
  readonly sheets: readonly SheetResult[];
  /** For each model and data set; for each model alone if one template has to serve all. */
  readonly best: readonly BestTemplate[];
  readonly flips: readonly RankFlip[];
}

export interface SweptAxis {
  readonly axis: AxisName;
  readonly values: readonly string[];
}

/** One model on one data set. */
export interface SheetResult extends ScoreKind {
  readonly model: string;
  readonly dataset: string;
  readonly rows: number;
  readonly cells: readonly CellResult[];
  /** Best first. */
  readonly templates: readonly TemplateResult[];
  readonly spread?: Spread | undefined;
  readonly variance?: readonly VariancePart[] | undefined;
  readonly comparisons: readonly ValueComparison[];
  readonly changing?: ChangingRows | undefined;
  readonly remarks: readonly string[];
}

export interface CellResult {
  readonly abbr: string;
  readonly settings: CellSettings;
  readonly score?: Estimate | undefined;
}

/** A template over everything else that was varied. */
export interface TemplateResult {
  readonly template: string;
  readonly score?: Estimate | undefined;
}

export interface Spread {
  /** The best template's score less the worst one's. */
  readonly range: number;
  /** Standard deviation of the scores of the templates. */
  readonly deviation: number;
  readonly worst: string;
}

export interface AnalyzeOptions {
  readonly seed: number;
  /** One template has to serve all data sets. */
  readonly sameTemplate: boolean;
  /** The most changing rows that are listed. */
  readonly mostRows: number;
}

export function analyzeSweep(sheets: readonly Sheet[], options: AnalyzeOptions): SweepResult {
  const compared = compareValues(sheets);
  const results = sheets.map((sheet, place) =>
    analyzeSheet(sheet, { comparisons: compared[place] ?? [], mostRows: options.mostRows }),
  );
  return {
    level,
    axes: axesOf(sheets),
    sheets: results,
    best: groupsOf(sheets, options.sameTemplate).flatMap(
      (group) => findBestTemplate(group, options.seed) ?? [],
    ),
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

function analyzeSheet(
  sheet: Sheet,
  {
    comparisons,
    mostRows,
  }: { readonly comparisons: readonly ValueComparison[]; readonly mostRows: number },
): SheetResult {
  const { model, dataset, metric, direction, plain } = sheet;
  const kind: ScoreKind = { metric, ...(direction && { direction }), ...(plain && { plain }) };
  const templates = valuesOf(sheet, 'template')
    .map((template) => ({
      template,
      score: meanScore(averageRows(sheet, 'template', template), kind),
    }))
    .toSorted((left, right) =>
      isBetter(left.score?.value ?? 0, right.score?.value ?? 0, kind)
        ? -1
        : Number(left.score?.value !== right.score?.value),
    );
  return {
    model,
    dataset,
    ...kind,
    rows: sheet.ids.length,
    cells: sheet.cells.map(({ abbr, settings, scores }) => ({
      abbr,
      settings,
      score: meanScore(scores, kind),
    })),
    templates,
    spread: spreadOf(templates),
    variance: splitVariance(sheet),
    comparisons,
    changing: findChangingRows(sheet, mostRows),
    remarks: [...sheet.remarks, ...limitsOf(sheet)],
  };
}

function spreadOf(templates: readonly TemplateResult[]): Spread | undefined {
  const scores = templates.flatMap(({ score }) => score?.value ?? []);
  const worst = templates.at(-1);
  if (!worst || scores.length < 2) return undefined;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  return {
    range: Math.max(...scores) - Math.min(...scores),
    deviation: Math.sqrt(squares / (scores.length - 1)),
    worst: worst.template,
  };
}

/** What cannot be said, and why. */
function limitsOf(sheet: Sheet): string[] {
  const { length: rows } = sheet.ids;
  const counted = rows === 1 ? '1 row' : `${rows} rows`;
  const isCompared = axisNames.some((axis) => valuesOf(sheet, axis).length > 1);
  if (!isCompared) return ['Nothing was varied, so there is nothing to compare.'];
  if (rows === 0) return ['No row has a score in every cell, so nothing can be compared.'];
  if (rows < fewestRows) {
    return [
      `${counted} cannot show any difference, whatever the scores; it takes ${fewestRows} at least.`,
    ];
  }
  if (valuesOf(sheet, 'template').length < 2) {
    return ['There is only one template, so none can be called the best.'];
  }
  if (rows < fewestRowsToChoose) {
    return [
      `${counted} are too few to choose a template by one half and score it by the other; it takes ${fewestRowsToChoose}.`,
    ];
  }
  return [];
}
