import type { FailUnder } from './fail-under.ts';
import type { RowLimit } from './row-limit.ts';

/** What the results of a model on a dataset are held to. */
export interface Gate {
  /** The score to reach, from 0 to 1; or a score for each of some metrics, by name. */
  readonly failUnder?: FailUnder | undefined;
  /** How many rows may have an answer and no score, and how many samples of the other rows. */
  readonly maxUnscored?: RowLimit | undefined;
  /** How many rows may have failed; none by default. */
  readonly allowFailed?: RowLimit | undefined;
}

/** The gate of a dataset, and what holds for some models in its place. */
export interface DatasetGate extends Gate {
  readonly models?: Readonly<Record<string, Gate>> | undefined;
}
