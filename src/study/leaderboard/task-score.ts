import type { ServedModel } from '../../run/served-models.ts';
import type { RecordProblem } from '../../run/store/record-problem.ts';
import type { PossibleClusterCount } from '../../run/summary.ts';
import type { Estimate } from '../../stats/estimate.ts';
import type { RowMeasure } from '../../stats/measure-cells.ts';
import type { ClusterMark } from '../../stats/row-units.ts';
import type { VersionStamp } from '../../tasks/version-stamp.ts';

/** The score of a model on a task under one template. */
export interface TaskScore {
  readonly task: string;
  /** Template version; `0.0` where a task has but one. */
  readonly version: string;
  /** Hash of the template's text, where the text has no name. */
  readonly text?: string | undefined;
  readonly metric: string;
  readonly score: Estimate;
  /** Whether the interval is a guess: neither rows nor a measure of spread are recorded. */
  readonly isGuessed: boolean;
  readonly shots: number | undefined;
  readonly stamp: VersionStamp | undefined;
  /** How many rows the score is over. */
  readonly count: number;
  /** Whether there are more rows than were asked. */
  readonly isPartial: boolean;
  /** Whether the run was interrupted: the rows reached are no random part, and the interval is none. */
  readonly isInterrupted?: boolean | undefined;
  /** Rows without a score, which count as wrong unless they are left out. */
  readonly unscored: number;
  /** Whether rows without a score are left out, because the metric cannot count them as wrong. */
  readonly leavesOut?: boolean | undefined;
  /** Rows that were shown fewer examples than were asked for, or a prompt that was cut. */
  readonly shortened?: Shortened | undefined;
  /** Answers that name no choice, so that the first one is taken. */
  readonly unnamed?: number | undefined;
  /** What `summary.json` says where the log says otherwise; the log counts. */
  readonly summarized?: Summarized | undefined;
  /** Whether the score could not be worked out from the log, so that the summary is believed. */
  readonly isUnchecked?: boolean | undefined;
  /** Left out where results do not say how single rows ended. */
  readonly rows: ScoredRows | undefined;
  /** What rows seem to come in groups by, which nothing here reckons with. */
  readonly possibleClusters?: PossibleClusterCount | undefined;
  /** The result file or run folder that says so. */
  readonly file: string;
}

export interface Shortened {
  readonly rows: number;
  /** `dropped`: examples were left out; `cut`: the beginning of the prompt was. */
  readonly how: 'dropped' | 'cut';
}

export interface Summarized {
  /** Left out where there was none. */
  readonly value?: number | undefined;
  readonly rows: number;
}

/** How each row ended, by what tells it from others. */
export interface ScoredRows {
  readonly cells: ReadonlyMap<string, string>;
  readonly measure: RowMeasure;
  /** Where each row stands in its data, by what tells the data from other data. */
  readonly places?: ReadonlyMap<string, string> | undefined;
  /** Where rows come in clusters: that of each row that is of one. */
  readonly clusters?: ReadonlyMap<string, ClusterMark> | undefined;
  /** Rows that hold the same as one before them: the name of that one. */
  readonly copies?: ReadonlyMap<string, string> | undefined;
}

/** What one file or run folder says of one model. */
export interface ModelResult {
  readonly model: string;
  /** What may make another model of it, such as the settings of its answers. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where to read about the model, if that is known. */
  readonly link?: string | undefined;
  readonly file: string;
  readonly dialect: string | undefined;
  readonly isSynthetic: boolean;
  readonly scores: readonly TaskScore[];
  /** Scores that are no shares of which more is better, and cannot be averaged. */
  readonly otherScores?: readonly string[];
  /** What the server called the model, where that is another name than it was asked as. */
  readonly served?: ServedModel | undefined;
  /** Damaged lines of the logs that were read. */
  readonly problems?: readonly RecordProblem[];
}
