import { ModelError } from '../errors.ts';
import type { Loglikelihood, LoglikelihoodText } from './loglikelihood.ts';

/** The tokens of a text with their probabilities, as a model or an endpoint gave them. */
export interface TextTokens extends LoglikelihoodText {
  /** Where each token begins in the text, in UTF-16 units, in order. */
  readonly starts: ArrayLike<number>;
  /** In natural logarithms. Null only for the first token, if nothing precedes it. */
  readonly logprobs: ArrayLike<number | null>;
  /** Which tokens were the likeliest at their position, where that is known. */
  readonly likeliest?: ArrayLike<boolean | number> | undefined;
}

/**
 * How likely the part of a text is that begins at `from`: the sum over the tokens that begin there
 * or later. A token that begins before and ends after counts too, and is named.
 */
export function sumFrom({ text, from, starts, logprobs, likeliest }: TextTokens): Loglikelihood {
  const first = firstCounted({ text, from, starts });
  let logprob = 0;
  let tokens = 0;
  let isGreedy = true;
  for (let index = first; index < starts.length; index += 1) {
    const value = logprobs[index] ?? null;
    if (value === null && index === 0) continue;
    if (value === null || Number.isNaN(value)) throw noProbability(text, starts[index] ?? 0);
    logprob += value;
    tokens += 1;
    isGreedy &&= Boolean(likeliest?.[index]);
  }
  const start = starts[first] ?? from;
  return {
    logprob,
    tokens,
    ...(likeliest && { isGreedy }),
    ...(start < from && { spanning: text.slice(start, starts[first + 1] ?? text.length) }),
  };
}

/** The first token that ends after `from`, or their number if there is none. */
export function firstCounted({
  text,
  from,
  starts,
}: Pick<TextTokens, 'text' | 'from' | 'starts'>): number {
  let index = 0;
  while (index < starts.length) {
    const start = starts[index] ?? 0;
    const end = starts[index + 1] ?? text.length;
    if (start >= from || end > from) return index;
    index += 1;
  }
  return index;
}

function noProbability(text: string, start: number): ModelError {
  const token = JSON.stringify(text.slice(start, start + 20));
  return new ModelError(
    'model.no_probability',
    `the model gave no probability for the token at character ${start} (${token})`,
    {
      retryable: false,
      hint: 'The weights may be damaged, or the endpoint may not tell them all.',
    },
  );
}
