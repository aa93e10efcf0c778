import type { FailureKind } from '../model/failure-kind.ts';
import type { Estimate, Measurement } from '../stats/estimate.ts';
import type { Latency } from './latency-tally.ts';
import type { ServedModel } from './served-models.ts';

export type { Estimate, Measurement };

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
  /** What the results were held to; left out where they were held to nothing. */
  readonly gates?: readonly GateResult[];
  /** The run that this one was held against, and what it breaks of the gates; left out where there is none. */
  readonly baseline?: BaselineResult;
  /** What the run costs; left out where no price is known. */
  readonly cost?: CostSummary;
  /** What all starts of the run took together, this one included. */
  readonly starts?: StartTotals;
  /** Models that were served under other names than they were asked as. */
  readonly served?: readonly ServedModel[];
}

/** What a run came to against an earlier one. */
export interface BaselineResult {
  /** The folder of the earlier run. */
  readonly folder: string;
  /** The gates that it had to meet, such as `maxDrop`. */
  readonly gates: readonly string[];
  /** Those that are missed, in sentences: A is the earlier run, B this one. */
  readonly broken: readonly string[];
}

/** What the starts of a run took together. */
export interface StartTotals {
  readonly count: number;
  /** Starts that did not come to their end: what they took is known in part, or not at all. */
  readonly unfinished?: number;
  /** When the first began. */
  readonly since: string;
  readonly seconds: number;
  /** Requests to models and judges, attempts that failed included. */
  readonly sent: number;
  /** Of all answers and verdicts, also of those that others have replaced. */
  readonly tokens: TokenSums;
  /** Left out where prices are not known; the least, where `tokens.untold` is there. */
  readonly cost?: number;
}

/** Tokens of answers. */
export interface TokenSums {
  readonly input: number;
  readonly output: number;
  /**
   * Answers whose server did not tell how many tokens they took, or only one half of it: the sums,
   * and what they cost, are the least. Left out when there are none.
   */
  readonly untold?: number;
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
  readonly score: Measurement;
  /** The same with rows and samples that have no score as wrong, where the task's own score has it. */
  readonly allRows?: Measurement;
  /** How many rows have it; left out where all that are scored do, but for turns. */
  readonly rows?: number;
  /** It is of the rows with one value of a column, and other rows have no part in it. */
  readonly part?: true;
}

/** How many rows, and the first of them. */
export interface NamedRowCount {
  readonly rows: number;
  readonly first: readonly number[];
}

/** One model on one dataset. */
export interface TaskResult extends MetricKind {
  readonly model: string;
  readonly dataset: string;
  readonly metric: string;
  /** Undefined when no row could be scored. */
  readonly score?: Measurement;
  /**
   * The score with rows and samples that have none as wrong, in measures of all rows together as empty
   * answers; left out where there are none, and for metrics that have no such value.
   */
  readonly allRows?: Measurement;
  /** There are rows or samples without a score, and the metric has no value that counts them as wrong. */
  readonly uncounted?: true;
  readonly metrics?: readonly MetricResult[];
  /** Parts of the rows that would have a metric of their own, such as `category=math`, and no row of which is scored. */
  readonly unscoredParts?: readonly string[];
  /** Settings that the metric's value depends on, in short. */
  readonly signature?: string;
  readonly rows: RowCounts;
  /** Of the unscored rows, those whose scorer failed; left out when there are none. */
  readonly scorerFailed?: number;
  /** The column whose values tell which scored rows belong together, and how many there are. */
  readonly clusters?: ClusterCount;
  /** What rows seem to come in groups by, which intervals know nothing of. */
  readonly possibleClusters?: PossibleClusterCount;
  /** Of scored rows, where each was asked several times: all samples, and those without a score. */
  readonly samples?: { readonly asked: number; readonly unscored: number };
  /** Rows in which labels were equally likely, and the first was taken; left out if there are none. */
  readonly ties?: number;
  /** Why rows were not scored or failed, most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly rows: number }[];
  readonly tokens: TokenSums & {
    /** Input tokens that the server had in its cache; left out where it does not say. */
    readonly cachedInput?: number;
  };
  /** Where the answers came from in this start. */
  readonly requests: RequestCounts;
  /** How many answers there are, where rows have several; left out where each row that did not fail has one. */
  readonly answers?: number;
  /** Answers that ended at the length limit; left out when there are none. */
  readonly cutOff?: number;
  /** Answers that were stopped in another way, as `rows`; left out when there are none. */
  readonly stopped?: readonly { readonly kind: StopKind; readonly rows: number }[];
  /** Rows whose answer names no choice, and that the first one was taken for; left out when there are none. */
  readonly unnamed?: number;
  /**
   * Rows without credit whose answer contains the gold answer under a looser reading, the first of
   * them, and `number` or `choice` where that evaluator reads most of them; left out when there are none.
   */
  readonly looser?: NamedRowCount & { readonly evaluator?: 'number' | 'choice' };
  /** Rows with credit whose short gold answer stands inside of words or numbers alone. */
  readonly insideWord?: NamedRowCount;
  /** Checks that left rows out on purpose, and how many; left out when there are none. */
  readonly skipped?: readonly { readonly check: string; readonly rows: number }[];
  /** Rows whose gold answer is none of their labels; left out when there are none. */
  readonly notALabel?: RowsNotALabel;
  /** No `max_out_len` was set, so that the server's own limit cut answers off. */
  readonly serverLimit?: true;
  /** Rows that failed, by the kind of their failure, most frequent first; left out when there are none. */
  readonly failures?: readonly FailureCount[];
  /** The rows reached are the first in the order of the run, no random part: the interval is none of all rows. */
  readonly partial?: true;
  /** What its answers cost; left out where prices are not known. The least, where tokens are `untold`. */
  readonly cost?: number;
  /** Of its model and its judge, the one without a price, whose tokens `cost` leaves out. */
  readonly unpriced?: readonly string[];
  /** Of rows that a judge scores. */
  readonly judge?: JudgeCounts;
  /** Rows whose examples give their answers away; left out when there are none. */
  readonly leaks?: number;
  /** The seed that examples were drawn by; left out where none were drawn. */
  readonly seed?: number;
  /** Rows that had to do without examples, because they did not fit. */
  readonly dropped?: number;
  /** Rows whose prompts do not fit without any example either. */
  readonly tooLong?: number;
  /** The lengths behind these two are estimates: the model has no tokenizer. */
  readonly estimatedLengths?: true;
  /** From the first request of this start to its last answer. */
  readonly seconds: number;
  /** Tokens that the server took and gave in that time; left out where it told none. */
  readonly tokensPerSecond?: { readonly input: number; readonly output: number };
  /** How long the answers took that were asked for, in whatever start. */
  readonly latency?: Latency;
  /** Hash of all prompts in row order: equal hashes mean equal prompts. */
  readonly promptHash: string;
}

/** Rows that are wrong whichever label is chosen. */
export interface RowsNotALabel {
  readonly rows: number;
  /** The numbers of the first of them. */
  readonly first: readonly number[];
  /** What the first of all has. */
  readonly example: { readonly gold: string; readonly labels: readonly string[] };
}

/** Why an answer ended that the model was not done with, beside its length. */
export type StopKind = 'content_filter' | 'error' | 'tool_calls';

/** Rows that share the value of a column belong together. */
export interface ClusterCount {
  /** The column. */
  readonly by: string;
  /** How many values there are. */
  readonly count: number;
}

/** Rows that seem to belong together. */
export interface PossibleClusterCount {
  /** The column; left out where it is that many rows are asked the same. */
  readonly by?: string;
  readonly count: number;
}

/** Requests and answers of a task. Left out in summaries of older versions: all but the first three. */
export interface RequestCounts {
  /** Requests sent, attempts that failed included. */
  readonly sent: number;
  /** Answers from the cache of earlier runs. */
  readonly cached: number;
  /** Answers of another row that was asked the same. */
  readonly shared: number;
  /** Answers that the server gave. */
  readonly asked?: number;
  /** Answers that the folder had. */
  readonly resumed?: number;
  /** Rows whose saved answer is to another request than they ask now. */
  readonly outdated?: number;
  /** Some no longer fit because a function has no `version`: each start asks it anew. */
  readonly unversioned?: true;
}

export interface FailureCount {
  readonly kind: FailureKind;
  readonly rows: number;
  /** Those that this start did not ask again. */
  readonly left?: number;
}

/** A requirement, and whether a model on a dataset meets it. */
export interface GateResult {
  readonly model: string;
  readonly dataset: string;
  readonly gate: 'fail_under' | 'max_unscored' | 'allow_failed';
  /** The metric that a score is asked of. */
  readonly metric?: string;
  /** The score, the number of rows or the share of them (`5%`) that is asked for. */
  readonly asked: number | string;
  /** What the run is held to, where it was scored again and held to something else. */
  readonly recorded?: number | string;
  /** What there is; left out where there is nothing. */
  readonly got?: number;
  readonly passed: boolean;
  /** Why it does not pass, if `got` is not just worse than what is asked. */
  readonly problem?: GateProblem;
}

/**
 * `missing_rows`: the run did not get to all. `no_score`, `no_metric`: there is nothing to compare.
 * `uncounted_rows`: rows without a score, which this metric cannot count as wrong. `other_scale`: a share
 * is asked of a metric that is none. `unscored_samples`: of rows that have a score, too many samples have
 * none.
 */
export type GateProblem =
  | 'missing_rows'
  | 'no_score'
  | 'no_metric'
  | 'uncounted_rows'
  | 'other_scale'
  | 'unscored_samples';

/** What a run costs, in the currency of the prices. */
export interface CostSummary {
  /** What the answers cost that the results are made of, as far as tokens are told. */
  readonly total: number;
  /** Answers and verdicts whose tokens were not told: `total` is the least. */
  readonly untold?: number;
  /** What `maxCost` was, */
  readonly limit?: number;
  /** what counts towards it, */
  readonly spent?: number;
  /** and whether it ended the run. */
  readonly isReached?: boolean;
  /** Answers whose server did not tell all tokens: the most that they can cost counts. */
  readonly estimated?: number;
}

/** What the verdicts of a task took; equal requests are one. */
export interface JudgeCounts {
  /** Verdicts that the judge was asked for, whenever that was, and those that the cache had, or a dataset before. */
  readonly requests: number;
  readonly cached: number;
  readonly tokens: TokenSums;
  /** Of these tokens, what judges beside the first took; left out where there is one judge. */
  readonly others?: readonly { readonly judge: string; readonly tokens: TokenSums }[];
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
  /** What each of them counts for, in their order; left out where it is the same. */
  readonly weights?: readonly number[];
  /** The metrics of the datasets, each once, marked if less is better; left out by older versions. */
  readonly metrics?: readonly string[];
  /** Left out if a dataset has no score, and if their scores are of different kinds. */
  readonly score?: Measurement;
  /** The average with rows that have no score as wrong, where one of the datasets has it. */
  readonly allRows?: Measurement;
  /** Less is better in all of them. */
  readonly direction?: 'lower';
  /** Datasets without a score, for which there is no average; left out where all have one. */
  readonly withoutScore?: readonly string[];
  /** The scores are of different kinds: what they are would not be averaged. */
  readonly mixed?: true;
  /** One of the scores is of the rows reached. */
  readonly partial?: true;
}
