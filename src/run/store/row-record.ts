import type { AskedVerdict } from '../../score/scorer.ts';

/**
 * One line of a row log: how a row ended, or a part of one. What is undefined is not written.
 */
export interface RowRecord {
  /** The number of the row in its data. */
  readonly id: number;
  /** Hash of the request. */
  readonly key: string;
  /** The turn, the sample or the like that this line is about; lines about whole rows have none. */
  readonly part?: string | number | undefined;
  /** Hash of the prompt alone, whatever the model. */
  readonly prompt: string;
  readonly outcome: 'scored' | 'unscored' | 'failed';
  readonly score?: number | undefined;
  /** Why the row was not scored, or failed. */
  readonly reason?: string | undefined;
  /** More about the score, such as what a judge said. */
  readonly detail?: string | undefined;
  readonly answer?: string | undefined;
  readonly reasoning?: string | undefined;
  /** The label that the answer stands for. */
  readonly label?: unknown;
  /** How likely the texts of a row are. */
  readonly weights?: readonly LoggedLoglikelihood[] | undefined;
  /** The keys of the parts of a row, whose lines hold their answers. */
  readonly parts?: readonly string[] | undefined;
  /** The messages that were sent for a turn. */
  readonly sent?: unknown;
  /** Why the model stopped, unless it was done. */
  readonly finish?: string | undefined;
  readonly extracted?: unknown;
  readonly gold?: unknown;
  /** What of the two was compared, unless they were compared as they are. */
  readonly compared?: readonly [got: string, want: string] | undefined;
  /** Further measures of the row, and what it adds to measures of the whole dataset. */
  readonly metrics?: Readonly<Record<string, number>> | undefined;
  readonly cell?: string | undefined;
  readonly counts?: readonly number[] | undefined;
  readonly rounds?: number | undefined;
  readonly samples?: readonly [asked: number, unscored: number] | undefined;
  /** What judges were asked for the score; their replies are kept by these keys. */
  readonly verdicts?: readonly AskedVerdict[] | undefined;
  /** Hash of what the row holds: rows of two runs are the same if it is. */
  readonly row?: string | undefined;
  /** Hash of the scorer and the right answer: a row is judged again when they change. */
  readonly scoring?: string | undefined;
  readonly tokens?: readonly [input: number, output: number] | undefined;
  readonly ms?: number | undefined;
  readonly attempts?: number | undefined;
  /** Where the answer came from, if it was not asked for: another row, or the response cache. */
  readonly from?: 'row' | 'cache' | undefined;
  /** Examples that did not fit into the context and were left out. */
  readonly dropped?: number | undefined;
  /** What the row's examples give away of its answer. */
  readonly leak?: string | undefined;
}

/** The loglikelihood of a text; without a label, it is there for comparison. */
export interface LoggedLoglikelihood {
  readonly label?: unknown;
  /** What the labels are compared by; null for an infinite one. */
  readonly value: number | null;
  /** Null for negative infinity, which JSON cannot say. */
  readonly logprob: number | null;
  /** How likely the label is, as a logarithm, where `logprob` does not say so. */
  readonly log?: number | null | undefined;
  readonly tokens: number;
  readonly spanning?: string | undefined;
}
