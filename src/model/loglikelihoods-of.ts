import { ModelError } from '../errors.ts';
import type { Loglikelihood, LoglikelihoodText, TextLogprobs } from './loglikelihood.ts';

/**
 * The loglikelihood of parts of texts, from the log-probabilities of a model: the only place where it is
 * applied where a part begins.
 *
 * @example
 * loglikelihoodsOf([{ text: 'Is it? Yes', from: 6 }], [{ starts: [0, 2, 5, 6], values: [null, -1, -2, -4] }]);
 * // [{ logprob: -4, tokens: 1 }]
 */
export function loglikelihoodsOf(
  texts: readonly LoglikelihoodText[],
  logprobs: readonly TextLogprobs[],
): Loglikelihood[] {
  return texts.map((text, index) => {
    const said = logprobs[index];
    if (!said) throw new RangeError(`${logprobs.length} answers for ${texts.length} texts`);
    return sumFrom(text, said);
  });
}

/** The tokens that begin in the part count, and so does one that begins before and ends in it. */
function sumFrom({ text, from }: LoglikelihoodText, said: TextLogprobs): Loglikelihood {
  const { starts, values, likeliest } = said;
  const first = firstCounted({ text, from, starts });
  const start = starts[first] ?? from;
  const firstEnd = starts[first + 1] ?? text.length;
  const isKnown = values[first] !== null;
  let logprob = 0;
  let isGreedy = true;
  for (let index = isKnown ? first : first + 1; index < starts.length; index += 1) {
    logprob += values[index] ?? 0;
    isGreedy &&= likeliest?.[index] === true;
  }
  const skipped = isKnown ? 0 : firstEnd - Math.max(start, from);
  return {
    logprob,
    tokens: starts.length - first - (isKnown ? 0 : 1),
    ...(skipped > 0 && { skipped }),
    ...(likeliest && { isGreedy }),
    ...(start < from && { spanning: text.slice(start, firstEnd) }),
  };
}

/** The first token that ends after `from`, or their number if there is none. */
export function firstCounted({
  text,
  from,
  starts,
}: LoglikelihoodText & { readonly starts: ArrayLike<number> }): number {
  let index = 0;
  while (index < starts.length) {
    const start = starts[index] ?? 0;
    const end = starts[index + 1] ?? text.length;
    if (start >= from || end > from) return index;
    index += 1;
  }
  return index;
}

/**
 * What a model said of a text, once it is known to be whole: what is kept for one part must do for
 * every other.
 */
export function wholeLogprobs(text: string, said: TextLogprobs): TextLogprobs {
  for (const [index, start] of said.starts.entries()) {
    const value = said.values[index] ?? null;
    const isMissing = value === null ? index > 0 : Number.isNaN(value);
    if (isMissing) throw noProbability(text, start);
    if (value !== null && value > rounding) throw aboveCertainty(text, start, value);
  }
  return said;
}

/** A certain token may come out a little above 0. */
const rounding = 1e-4;

function aboveCertainty(text: string, start: number, value: number): ModelError {
  const token = JSON.stringify(text.slice(start, start + 20));
  return new ModelError(
    'model.no_probability',
    `the model gave ${value} as the log-probability of the token at character ${start} (${token}), which is above 0`,
    { retryable: false, hint: 'Does the endpoint return probabilities, or another kind of score?' },
  );
}

function noProbability(text: string, start: number): ModelError {
  const token = JSON.stringify(text.slice(start, start + 20));
  return new ModelError(
    'model.no_probability',
    `the model gave no probability for the token at character ${start} (${token})`,
    {
      retryable: false,
      hint: 'The weights may be damaged, or the endpoint may leave some out.',
    },
  );
}
