import type { ModelConfig } from '../config/config.ts';
import type { Model } from '../model/model.ts';

/** What a model can take. */
export interface TokenLimit {
  readonly maxTokens: number;
  countTokens(text: string): number;
}

/** A mark of the beginning may stand before the text. */
const beginning = 1;

/**
 * How many UTF-16 units of a context have to go, from its beginning, so that it fits with each of
 * its continuations. The original cuts there too, examples and instruction first.
 */
export function unitsToCut(
  context: string,
  continuations: readonly string[],
  { maxTokens, countTokens }: TokenLimit,
): number {
  const fits = (cut: number) =>
    continuations.every(
      (continuation) => countTokens(context.slice(cut) + continuation) + beginning <= maxTokens,
    );
  if (fits(0)) return 0;
  let tooLong = 0;
  let short = context.length;
  while (short - tooLong > 1) {
    const middle = (tooLong + short) >>> 1;
    if (fits(middle)) short = middle;
    else tooLong = middle;
  }
  const isHalf = /[\udc00-\udfff]/.test(context.charAt(short));
  return isHalf ? short + 1 : short;
}

/** What is said to fit, or the model's own length. */
export function limitOf(
  { countTokens, facts }: Model,
  { maxSeqLen }: Pick<ModelConfig, 'maxSeqLen'>,
): TokenLimit | undefined {
  const maxTokens = Number(maxSeqLen ?? facts?.contextLength);
  return countTokens && maxTokens > 0 ? { maxTokens, countTokens } : undefined;
}
