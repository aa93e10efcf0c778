import type { Evaluation } from '../evaluation/evaluation.ts';
import type { RowFiles } from '../run/store/row-places.ts';

/** The results of a task in the words of lm-evaluation-harness. */
export interface HarnessResults {
  readonly alias: string;
  readonly version: string;
  readonly numFewshot: number;
  /** The task as its YAML file has it, or would have it. */
  readonly config: object;
  readonly higherIsBetter: Readonly<Record<string, boolean>>;
  /** `acc,none` and the like, with their standard errors. */
  readonly values: Readonly<Record<string, number | 'N/A'>>;
  /** How many rows they are over, */
  readonly count: number;
  /** and how many the task has. */
  readonly total: number;
  readonly samples: readonly Sample[];
  /** How many contexts were cut at their beginning to fit into the model. */
  readonly cut: number;
}

/** A line of `samples_*.jsonl`. */
export type Sample = Readonly<Record<string, unknown>>;

export interface ResultOptions {
  readonly files: RowFiles;
  /** Draws for the standard errors of measures that have no formula. */
  readonly bootstrapIterations: number;
}

type ReadResults = (options: ResultOptions) => Promise<HarnessResults>;

const readers = new WeakMap<Evaluation, ReadResults>();

/** Says how the results of an evaluation are worked out from what a run recorded of its rows. */
export function addHarnessResults(evaluation: Evaluation, read: ReadResults): void {
  readers.set(evaluation, read);
}

/** The results of an evaluation whose rows were all answered; nothing if its suite has no such words. */
export async function harnessResults(
  evaluation: Evaluation,
  options: ResultOptions,
): Promise<HarnessResults | undefined> {
  return readers.get(evaluation)?.(options);
}
