import type { Loglikelihood } from '../../model/loglikelihood.ts';
import type { Compat } from '../compat.ts';

/** What a text, or the part of it that counts, is compared by: its surprise for a token. */
export interface MeanLoss {
  /** What a sum is divided by. */
  readonly divisor: string;
  readonly ofText: (measured: Loglikelihood) => number;
  readonly ofPart: (measured: Loglikelihood) => number;
}

/** The mean over the tokens that have a probability, as AISBench takes it too. */
const overKnown: MeanLoss = {
  divisor: 'tokens that have a probability',
  ofText: meanOverKnown,
  ofPart: meanOverKnown,
};

/**
 * OpenCompass divides by all tokens that its Hugging Face models read, with the one that begins the
 * text: it has no probability, whether it is a mark of the tokenizer or the text's own. Of a
 * part it divides by those of the part.
 */
const overAll: MeanLoss = {
  divisor: 'all tokens, with the first',
  ofText: ({ logprob, tokens }) => mean(logprob, tokens + 1),
  ofPart: ({ logprob, tokens, skipped }) => mean(logprob, tokens + (skipped ? 1 : 0)),
};

/**
 * How labels are compared that are told apart by how surprising their texts are.
 *
 * @example
 * meanLossOf('opencompass').ofText({ logprob: -12, tokens: 3 }); // 3
 * meanLossOf(undefined).ofText({ logprob: -12, tokens: 3 }); // 4
 */
export function meanLossOf(compat: Compat | undefined): MeanLoss {
  return compat === 'opencompass' ? overAll : overKnown;
}

function meanOverKnown({ logprob, tokens }: Loglikelihood): number {
  return mean(logprob, tokens);
}

function mean(logprob: number, tokens: number): number {
  if (tokens === 0) return Number.POSITIVE_INFINITY;
  return logprob === 0 ? 0 : -logprob / tokens;
}
