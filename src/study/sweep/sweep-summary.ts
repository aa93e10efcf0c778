import type { ClusterCount, MetricKind } from '../../run/summary.ts';
import type { Measurement } from '../../stats/estimate.ts';

/** What a sweep varies. Models are compared too, but each has its own sheets. */
export const axisNames = [
  'template',
  'shots',
  'retriever',
  'seed',
  'format',
  'shots_as',
  'option_order',
] as const;

export type AxisName = (typeof axisNames)[number];

/** The values of the axes that a cell stands for; axes that are not swept are left out. */
export type CellSettings = Readonly<Partial<Record<AxisName, string>>>;

/** What a sweep found out, as `sweep.json` holds it. */
export interface SweepSummary {
  readonly name: string;
  readonly version: string;
  /** Share of intervals that hold the truth, and of sweeps without any false claim. */
  readonly level: number;
  /** False while rows are missing: the run was interrupted. */
  readonly complete: boolean;
  readonly requests: SweepRequests;
  readonly axes: readonly SweptAxis[];
  readonly sheets: readonly SheetSummary[];
  /** For each model and dataset; for each model alone if one template has to serve all. */
  readonly best: readonly BestConfiguration[];
  readonly flips: readonly RankFlip[];
  /** With a budget, sheets have no comparisons: the races say what is known. */
  readonly budget?: BudgetSummary | undefined;
}

/** Requests sent now, and answers that were there already or shared between cells. */
export interface SweepRequests {
  readonly sent: number;
  readonly reused: number;
}

export interface SweptAxis {
  readonly axis: AxisName;
  readonly values: readonly string[];
}

/** How the scores of a sheet are read. */
export interface ScoreKind extends MetricKind {
  readonly metric: string;
}

/** One model on one dataset. */
export interface SheetSummary extends ScoreKind {
  readonly model: string;
  readonly dataset: string;
  /** Rows that have a score in every cell. */
  readonly rows: number;
  /** Where rows come in clusters: what tells them, and how many there are. */
  readonly clusters?: ClusterCount | undefined;
  readonly cells: readonly CellSummary[];
  /** Best first. */
  readonly templates: readonly TemplateSummary[];
  readonly spread?: Spread | undefined;
  readonly variance?: readonly VariancePart[] | undefined;
  readonly comparisons: readonly ValueComparison[];
  readonly changing?: ChangingRows | undefined;
  /** What the numbers do not show, or cannot say. */
  readonly remarks: readonly string[];
}

export interface CellSummary {
  readonly abbr: string;
  readonly settings: CellSettings;
  readonly score?: Measurement | undefined;
  /** Left out where all prompts fit with all their examples. */
  readonly fit?: CellFit | undefined;
}

/** How the prompts of a cell fit into the context. */
export interface CellFit {
  readonly rows: number;
  /** Rows that lost examples, */
  readonly dropped: number;
  /** and rows that do not fit without any either. */
  readonly tooLong: number;
  /** The model has no tokenizer. */
  readonly estimatedLengths?: true;
}

/** A template over everything else that was varied. */
export interface TemplateSummary {
  readonly template: string;
  readonly score?: Measurement | undefined;
}

export interface Spread {
  /** The highest score of a template less the lowest one. */
  readonly range: number;
  /** Standard deviation of the scores of the templates. */
  readonly deviation: number;
  readonly worst: string;
}

/** How much of the variance of single scores comes from one source. */
export interface VariancePart {
  /** `template`, `rows` or `clusters`, `template × shots`; `rest` for what is left. */
  readonly source: string;
  readonly variance: number;
  readonly share: number;
  /** Whether the estimate was negative and counts as 0: it is too small to estimate. */
  readonly isClipped: boolean;
}

/** Two values of an axis on the same rows, averaged over everything else. */
export interface ValueComparison {
  readonly axis: AxisName;
  readonly a: string;
  readonly b: string;
  /** How much higher B is than A. */
  readonly difference: Measurement;
  readonly test: 'mcnemar' | 'permutation';
  readonly p: number;
  /** Adjusted for all comparisons of the sweep. */
  readonly adjustedP: number;
  /** Whether the two can be told apart: by the adjusted test and the interval. */
  readonly isDifferent: boolean;
}

/** Rows that one template has right and another one wrong, with all else the same. */
export interface ChangingRows {
  readonly share: Measurement;
  readonly rows: number;
  /** Whether rows are right or wrong; else they change if their scores differ at all. */
  readonly areVerdicts: boolean;
  /** Those on which the templates disagree most evenly, first. */
  readonly most: readonly ChangingRow[];
}

export interface ChangingRow {
  readonly id: number;
  readonly gold?: string | undefined;
  /** The cells in which templates disagree: one for each template, otherwise alike. */
  readonly cells: readonly ChangingCell[];
}

export interface ChangingCell {
  readonly abbr: string;
  readonly score: number;
  readonly template?: string | undefined;
  readonly prompt?: string | undefined;
  readonly answer?: string | undefined;
}

/** A short answer, and what there is to say about it. */
export interface Headline {
  /** `Use arrow with 4 shots`, `No clear winner`. */
  readonly title: string;
  readonly text: string;
}

/** What to use, and what to expect of it. */
export interface BestConfiguration extends Headline {
  readonly model: string;
  /** The datasets that it is the best one for; with several, by the mean of their scores. */
  readonly datasets: readonly string[];
  /** The best one on all rows; the first of several. Axes that were not varied are left out. */
  readonly settings: CellSettings;
  /** Of how many configurations. */
  readonly of: number;
  /** Those that cannot be told apart from the best one, which is the first. */
  readonly leaders: readonly CellSettings[];
  /** The score of the best one on the rows that it was chosen by. */
  readonly naive: number;
  /** The score of what is chosen without the rows that score it; left out with too few rows. */
  readonly honest?: Measurement | undefined;
  /** How much better the naive score looks. */
  readonly optimism?: number | undefined;
  /** How often half of the rows choose each configuration; those never chosen are left out. */
  readonly choices: readonly { readonly settings: CellSettings; readonly share: number }[];
  /** Whether some choices were ties, which are shared. */
  readonly hasTies?: boolean | undefined;
}

/** Two templates of which each is the better one for another model. */
export interface RankFlip {
  readonly dataset: string;
  readonly models: readonly [string, string];
  readonly templates: readonly [string, string];
  /** How much higher the second template is than the first, for each model. */
  readonly differences: readonly [number, number];
  /** Whether both models tell the two templates apart. */
  readonly isClear: boolean;
}

/** How a budget was spent. */
export interface BudgetSummary {
  readonly requests: number;
  readonly spent: number;
  /** What all cells on all rows would have taken. */
  readonly full: number;
  /** The chance that the truly best template of a model on a dataset was dropped is at most this. */
  readonly errorRate: number;
  readonly races: readonly Race[];
}

/** The templates of one model on one dataset. */
export interface Race {
  readonly model: string;
  readonly dataset: string;
  readonly rounds: readonly RaceRound[];
  /** Templates that were not shown to be worse. */
  readonly left: readonly string[];
  /** Templates that are out because the model gave no answers to them. */
  readonly unanswered: readonly string[];
  /** The best of those left, one of them by chance if several tie; on rows that had no part in the choice. */
  readonly winner: string;
  readonly score?: Measurement | undefined;
}

export interface RaceRound {
  /** Rows that each template was asked so far. */
  readonly rows: number;
  readonly scores: readonly { readonly template: string; readonly score: number }[];
  readonly dropped: readonly string[];
}
