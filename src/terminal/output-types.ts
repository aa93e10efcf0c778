import type { SweepGate } from '../report/sweep/sweep-gates.ts';
import type { RunSummary } from '../run/summary.ts';
import type { Comparison } from '../study/compare/comparison.ts';
import type { SweepSummary } from '../study/sweep/sweep-summary.ts';
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
  readonly baseline?: { readonly comparison: Comparison; readonly broken: readonly string[] };
}

/** What `typecase sweep --json` prints. */
export interface SweepOutput extends Output<'sweep'>, SweepSummary {
  readonly folder: string;
  /** With `--fail-under`: what the best configurations were held to. */
  readonly gates?: readonly SweepGate[];
}

/** What `typecase compare --json` prints. */
export interface CompareOutput extends Output<'compare'>, Comparison {}

/** What a command prints with `--json` if it could not be done. */
export interface FailedOutput extends Output<string> {
  readonly exitCode: number;
  readonly errors: readonly ErrorOutput[];
}

/** What commands print with `--json`. */
export type CommandOutput = RunOutput | SweepOutput | CompareOutput | FailedOutput;
