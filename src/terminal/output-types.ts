import type { leaderboardJson } from '../report/leaderboard/render-tables.ts';
import type { SweepGate } from '../report/sweep/sweep-gates.ts';
import type { BaselineResult, RunSummary } from '../run/summary.ts';
import type { BundleVerification } from '../study/bundle/verify-bundle.ts';
import type { EvaluationExplanation } from '../study/cache/explain-rows.ts';
import type { Comparison } from '../study/compare/comparison.ts';
import type { SweepSummary } from '../study/sweep/sweep-summary.ts';
import type { jsonExplained } from './explain/print-explained.ts';
import type { ListedEntry } from './list/render-parts.ts';
import type { jsonPlan } from './plan/json-plan.ts';
import type { DiffPart } from './text/diff-lines.ts';
import type { jsonRow } from './view/json-row.ts';
import type { jsonView } from './view/json-view.ts';
import type { ErrorOutput } from './write-error.ts';

interface Output<Command extends string> {
  /** A change that readers would notice has a new number. */
  readonly schemaVersion: 1;
  readonly command: Command;
}

/** What `typecase run --json` and `typecase score --json` print. */
export interface RunOutput extends Output<'run' | 'score'>, RunSummary {
  /** The folder of the run. */
  readonly folder: string;
  /** With `--baseline`: the comparison, and the gates that are broken. */
  readonly baseline?: BaselineResult & { readonly comparison: Comparison };
}

/** What `typecase sweep --json` prints. */
export interface SweepOutput extends Output<'sweep'>, SweepSummary {
  readonly folder: string;
  /** With `--fail-under`: what the best configurations were held to. */
  readonly gates?: readonly SweepGate[];
}

/** What `typecase compare --json` prints. */
export interface CompareOutput extends Output<'compare'>, Comparison {}

/** What `typecase plan --json` prints. */
export type PlanOutput = Output<'plan'> & ReturnType<typeof jsonPlan>;

/** What `typecase view --json` prints. */
export interface ViewOutput extends Output<'view'> {
  readonly config: string;
  readonly views?: readonly (PromptOutput | FailedPromptOutput)[];
  /** With `--diff`, in place of `views`. */
  readonly comparisons?: readonly (ComparedPromptsOutput | FailedPromptOutput)[];
}

/** What is asked about a row, and where each part of it comes from. */
export type PromptOutput = ReturnType<typeof jsonView>;

export type NamedPromptOutput = PromptOutput & { readonly name: string };

export interface ComparedPromptsOutput {
  readonly left: NamedPromptOutput;
  readonly right: NamedPromptOutput;
  readonly prompts: readonly {
    readonly label?: string | undefined;
    readonly changes: readonly DiffPart[];
  }[];
}

/** A model and a dataset whose prompts cannot be shown, and why. */
export interface FailedPromptOutput {
  readonly model: string | null;
  readonly dataset: string;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
    readonly at: ErrorOutput['at'] | null;
  };
}

/** What `typecase show --json` prints. */
export interface ShowOutput extends Output<'show'> {
  /** The folder of the run. */
  readonly run: string;
  readonly rows: readonly ReturnType<typeof jsonRow>[];
}

/** What `typecase explain --json` prints. */
export type ExplainOutput = Output<'explain'> & ReturnType<typeof jsonExplained>;

/** What `typecase cache explain --json` prints. */
export interface CacheOutput extends Output<'cache'> {
  readonly evaluations: readonly EvaluationExplanation[];
}

/** What `typecase leaderboard --json` prints. */
export type LeaderboardOutput = Output<'leaderboard'> & ReturnType<typeof leaderboardJson>;

/** What `typecase bundle --json` prints. */
export interface BundleOutput extends Output<'bundle'>, BundleVerification {
  /** Left out with `--verify`. */
  readonly file?: string;
}

/** What `typecase list --json` prints: a list for each kind of names, such as `evaluators`. */
export interface ListOutput extends Output<'list'> {
  readonly [kind: string]: readonly ListedEntry[] | Output<'list'>[keyof Output<'list'>];
}

/** What a command prints with `--json` if it could not be done. */
export interface FailedOutput extends Output<string> {
  readonly exitCode: number;
  readonly errors: readonly ErrorOutput[];
}

/** What commands print with `--json`. */
export type CommandOutput =
  | RunOutput
  | SweepOutput
  | CompareOutput
  | PlanOutput
  | ViewOutput
  | ShowOutput
  | ExplainOutput
  | CacheOutput
  | LeaderboardOutput
  | BundleOutput
  | ListOutput
  | FailedOutput;
