import type { RecordProblem } from '../../run/store/record-problem.ts';
import type { Estimate } from '../../stats/estimate.ts';
import type { CellMeasure } from '../../stats/tallies.ts';
import type { VersionStamp } from '../../tasks/version-stamp.ts';

/** The score of a model on a task under one template. */
export interface TaskScore {
  readonly task: string;
  /** Template version; `0.0` where a task has but one. */
  readonly version: string;
  readonly metric: string;
  readonly score: Estimate;
  /** Whether the interval is a guess: neither documents nor a measure of spread are recorded. */
  readonly isGuessed: boolean;
  readonly shots: number | undefined;
  readonly stamp: VersionStamp | undefined;
  readonly rows: ScoredRows | undefined;
}

/** How each document ended, by what tells it from others. */
export interface ScoredRows {
  readonly cells: ReadonlyMap<string, string>;
  readonly measure: CellMeasure;
}

/** What one file or run folder says of one model. */
export interface ModelResult {
  readonly model: string;
  /** Where to read about the model, if that is known. */
  readonly link?: string | undefined;
  readonly file: string;
  readonly dialect: string | undefined;
  readonly isSynthetic: boolean;
  readonly scores: readonly TaskScore[];
  /** Damaged lines of the logs that were read. */
  readonly problems?: readonly RecordProblem[];
}
