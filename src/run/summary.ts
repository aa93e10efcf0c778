import type { Estimate } from '../stats/index.ts';

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

/** One model on one data set. */
export interface TaskResult {
  readonly model: string;
  readonly dataset: string;
  readonly metric: string;
  /** Undefined when no row could be scored. */
  readonly score?: Estimate;
  readonly rows: RowCounts;
  /** Why rows were not scored or failed, most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly rows: number }[];
  readonly tokens: { readonly input: number; readonly output: number };
  /** Requests sent, answered from the cache, and shared between identical rows. */
  readonly requests: { readonly sent: number; readonly cached: number; readonly shared: number };
  readonly seconds: number;
  /** Hash of all prompts in row order: equal hashes mean equal prompts. */
  readonly promptHash: string;
}

export interface RowCounts {
  readonly total: number;
  readonly scored: number;
  readonly unscored: number;
  readonly failed: number;
  /** Rows that the run did not get to. */
  readonly missing: number;
}

/** An average over data sets, unweighted, with the interval of that average. */
export interface GroupResult {
  readonly model: string;
  readonly group: string;
  readonly datasets: readonly string[];
  readonly score?: Estimate;
}
