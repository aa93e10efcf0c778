import type { TokenScores } from './prefix-tree.ts';
import type { Sampling } from './sample.ts';

/** Tokens whose probabilities are asked for. */
export interface ScoreRequest {
  readonly ids: Int32Array;
  /** The first token that is asked about; from 1 on, for the first one follows nothing. */
  readonly from: number;
  /** How many tokens at the start others may have too: they are kept for those. */
  readonly shared: number;
  /** How many of the likeliest tokens are wanted for every position. */
  readonly top: number;
}

/** What was asked about, a number for every token from `from` on. */
export interface SequenceScores extends TokenScores {
  /** The likeliest tokens, `top` for every position, if that is more than one. */
  readonly topIds: Int32Array;
  readonly topLogprobs: Float64Array;
  /** How many tokens did not have to be read for it. */
  readonly cached: number;
}

/** A sequence to be continued. */
export interface TokenRequest {
  readonly ids: Int32Array;
  readonly maxTokens: number;
  /** Tokens that end an answer. */
  readonly stopIds: readonly number[];
  readonly sampling: Sampling;
  /** The draws depend on these two alone. */
  readonly seed: number;
  readonly key: string;
  /** How many of the likeliest tokens are wanted with each token; none if left out. */
  readonly top?: number | undefined;
}

export interface WrittenToken {
  readonly token: number;
  /** How many tokens of the prompt did not have to be read. */
  readonly cached: number;
  /** Before temperature and the like; with `top`. */
  readonly logprob?: number | undefined;
  readonly topIds?: readonly number[] | undefined;
  readonly topLogprobs?: readonly number[] | undefined;
}

export interface Written {
  readonly reason: 'stop' | 'length';
}

/** What happens to a request, for the one who asked. */
export interface Listener<Result> {
  readonly done: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}

export interface TokenListener extends Listener<Written> {
  readonly token: (token: WrittenToken) => void;
}
