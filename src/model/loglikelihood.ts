import type { RowId } from '../prompt/origin.ts';
import type { Usage } from './usage.ts';

/** Texts whose probability is asked for; all of one request are answered together. */
export interface LoglikelihoodRequest {
  readonly texts: readonly LoglikelihoodText[];
  /** What `encode` made of the request, if that is known already: it is then sent as it is. */
  readonly body?: string | undefined;
  /** What the run calls the request. Not sent. */
  readonly id?: RowId | undefined;
  readonly key?: string | undefined;
}

export interface LoglikelihoodText {
  readonly text: string;
  /** Where the part begins whose tokens count, in UTF-16 units; what stands before is context. */
  readonly from: number;
}

/** What a model says of the tokens of a text, or of those of the part that it was asked about. */
export interface TextLogprobs {
  /** Where each token starts in the text, in UTF-16 units, in order. */
  readonly starts: readonly number[];
  /**
   * The natural logarithm of each token's probability; negative infinity for an impossible one. Null
   * only for the first token of a text, which has none if nothing precedes it.
   */
  readonly values: readonly (number | null)[];
  /** Whether each token was the likeliest at its position, where the model tells. */
  readonly likeliest?: readonly boolean[] | undefined;
}

/** How likely a text's part is after its context, in natural logarithms. */
export interface Loglikelihood {
  /** Sum over the tokens that count. Negative infinity for an impossible token, never NaN. */
  readonly logprob: number;
  /** How many tokens count. The first token of a text has no probability and does not. */
  readonly tokens: number;
  /** How many characters of the part that first token has, if it has any. */
  readonly skipped?: number | undefined;
  /** Whether every token that counts was the likeliest one, where the model tells. */
  readonly isGreedy?: boolean | undefined;
  /** A token that begins in the context and ends in the part. It counts. */
  readonly spanning?: string | undefined;
}

export interface LoglikelihoodResult {
  /** One for each text, in the order of the request. */
  readonly logprobs: readonly TextLogprobs[];
  readonly usage?: Usage | undefined;
  /** Small facts about the answer as the server named them: the model. */
  readonly raw?: Readonly<Record<string, unknown>> | undefined;
  readonly totalMs: number;
}

/** What a model with the ability `loglikelihood` has. */
export interface LoglikelihoodModel {
  /** What is sent for a request, as text: equal texts are one request. */
  encode(request: LoglikelihoodRequest): string;
  /** What the answer depends on beside what is sent, as text. */
  identify?(request: LoglikelihoodRequest): string;
  /** Fails with a `ModelError`, or with the signal's reason once that is aborted. */
  measure(
    request: LoglikelihoodRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<LoglikelihoodResult>;
  /** What it was asked before, where that is kept: it need not be asked again. */
  readonly memory?: LoglikelihoodRecall | undefined;
}

/** What a model was asked, by the keys of the requests. */
export interface LoglikelihoodRecall {
  knows(key: string): boolean;
  recall(key: string): Promise<RecalledLoglikelihoods | undefined>;
}

export interface RecalledLoglikelihoods {
  readonly result: LoglikelihoodResult;
  /** Whether an earlier start of the run asked. */
  readonly isKept?: true;
}
