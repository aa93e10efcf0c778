import type { RowEnd, Verdict } from '../run/row-sample.ts';
import type { CheckResult } from '../score/scorer.ts';

/** A row as a report shows it. */
export interface ReportRow {
  readonly id: string | number;
  readonly outcome: 'scored' | 'unscored' | 'failed';
  readonly score?: number;
  readonly prompt: string;
  readonly answer: string;
  /** Of a dialogue, or of repeats: what each turn adds to what was asked, and its answer. */
  readonly turns?: readonly { readonly asked: string; readonly answer: string }[] | undefined;
  /** What judges were asked about it, and what they said. */
  readonly judge?: readonly { readonly asked: string; readonly answer: string }[] | undefined;
  readonly reasoning?: string;
  readonly extracted?: string;
  /** What was compared, where that is not the extracted and the gold answer as they stand. */
  readonly compared?: readonly [got: string, want: string];
  readonly gold?: string;
  readonly reason?: string;
  /** Of a row that failed, in one word. */
  readonly kind?: string;
  /** More about the score, such as what a judge said. */
  readonly detail?: string;
  /** Why the model stopped, unless it was done. */
  readonly finish?: string;
  /** What came of each check. */
  readonly checks?: readonly CheckResult[];
  /** The tools that were called, one in a line, with what they gave. */
  readonly calls?: string;
}

/** Rows of one task to choose from, and how all of its rows ended. */
export interface TaskRows {
  readonly model: string;
  readonly dataset: string;
  readonly rows: readonly ReportRow[];
  readonly totals?: Readonly<Partial<Record<Verdict, number>>> | undefined;
  /** How each row ended, in short. */
  readonly ends?: readonly RowEnd[] | undefined;
}
