import type { Inference } from '../infer/inference.ts';
import type { NamedRow, Row } from '../prompt/index.ts';
import type { Scorer } from '../score/index.ts';
import type { JobSource } from './job-source.ts';

/** One model on one data set, as the runner takes it. */
export interface TaskSettings {
  readonly model: string;
  /** What tells the model's answers from another's, as text. */
  readonly modelIdentity: string;
  readonly dataset: string;
  readonly rows: AsyncIterable<readonly NamedRow[]>;
  /** How many rows there are, told without asking about them. */
  readonly countRows?: (() => Promise<number>) | undefined;
  readonly inference: Inference;
  readonly prepare?: JobSource['prepare'];
  readonly outputColumn?: string | undefined;
  readonly maxOutLenOf: (row: Row) => number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly scorer: Scorer;
  /** What tells the scorer from another, as text. */
  readonly scorerIdentity: string;
  readonly logFile: string;
  readonly indexFile: string;
  /** Tasks with the same value here begin their prompts alike, and take turns. */
  readonly turns?: string | undefined;
}

/** What became of a task so far. */
export interface TaskCounts {
  rows: number;
  resumed: number;
  scored: number;
  unscored: number;
  failed: number;
  sent: number;
  shared: number;
  cached: number;
  inputTokens: number;
  outputTokens: number;
  /** Rows whose examples give their answers away. */
  leaks: number;
}

export function zeroCounts(): TaskCounts {
  return {
    rows: 0,
    resumed: 0,
    scored: 0,
    unscored: 0,
    failed: 0,
    sent: 0,
    shared: 0,
    cached: 0,
    inputTokens: 0,
    outputTokens: 0,
    leaks: 0,
  };
}
