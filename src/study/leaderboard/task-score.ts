import type { RecordProblem } from '../../run/store/record-problem.ts';
import type { Estimate } from '../../stats/estimate.ts';
import type { CellMeasure } from '../../stats/tallies.ts';
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
  /** Rows without a score, which count as wrong. */
  readonly unscored: number;
  /** Left out where results do not say how single rows ended. */
  readonly rows: ScoredRows | undefined;
  /** The result file or run folder that says so. */
  readonly file: string;
}

/** How each row ended, by what tells it from others. */
export interface ScoredRows {
  readonly cells: ReadonlyMap<string, string>;
  readonly measure: CellMeasure;
  /** Where rows come in clusters: that of each. */
  readonly clusters?: ReadonlyMap<string, string> | undefined;
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
  /** Damaged lines of the logs that were read. */
  readonly problems?: readonly RecordProblem[];
}
