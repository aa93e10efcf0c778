import type { Estimate } from '../stats/estimate.ts';

export type { Estimate };

/** What a run found out, as `summary.json` holds it. */
export interface RunSummary {
  readonly name: string;
  readonly version: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** False while rows are missing: the run was interrupted. */
  readonly complete: boolean;
  readonly results: readonly TaskResult[];
  readonly groups: readonly GroupResult[];
}

/** How a score is to be read. Without these, it is a share, and more is better. */
export interface MetricKind {
  /** Less is better. */
  readonly direction?: 'lower';
  /** The score is a number of its own kind, such as a count. */
  readonly plain?: true;
}

/** A further measure of a task. */
export interface MetricResult extends MetricKind {
  readonly name: string;
  readonly score: Estimate;
}

/** One model on one dataset. */
export interface TaskResult extends MetricKind {
  readonly model: string;
  readonly dataset: string;
  readonly metric: string;
  /** Undefined when no row could be scored. */
  readonly score?: Estimate;
  readonly metrics?: readonly MetricResult[];
  /** Settings that the metric's value depends on, in short. */
  readonly signature?: string;
  readonly rows: RowCounts;
  /** Of scored rows, where each was asked several times: all samples, and those without a score. */
  readonly samples?: { readonly asked: number; readonly unscored: number };
  /** Why rows were not scored or failed, most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly rows: number }[];
  readonly tokens: { readonly input: number; readonly output: number };
  /** Requests sent, answered from the cache, and shared between identical rows. */
  readonly requests: { readonly sent: number; readonly cached: number; readonly shared: number };
  /** Of rows that a judge scores. */
  readonly judge?: JudgeCounts;
  /** Rows whose examples give their answers away; left out when there are none. */
  readonly leaks?: number;
  readonly seconds: number;
  /** Hash of all prompts in row order: equal hashes mean equal prompts. */
  readonly promptHash: string;
}

/** What the verdicts of a task took; equal requests are one. */
export interface JudgeCounts {
  /** Verdicts that the judge was asked for, whenever that was, and those that the cache had. */
  readonly requests: number;
  readonly cached: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Rows that the judge failed on: the same command asks it again. */
  readonly failed?: number;
}

export interface RowCounts {
  readonly total: number;
  readonly scored: number;
  readonly unscored: number;
  readonly failed: number;
  /** Rows that the run did not get to. */
  readonly missing: number;
}

/** An average over datasets, unweighted, with the interval of that average. */
export interface GroupResult {
  readonly model: string;
  readonly group: string;
  readonly datasets: readonly string[];
  readonly score?: Estimate;
}
