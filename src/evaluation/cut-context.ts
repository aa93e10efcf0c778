import type { ModelConfig } from '../config/config.ts';
import type { Model } from '../model/model.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';

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

/** Says that nothing is cut, where a length is set for a model that does not count tokens. */
export function uncountedLength(
  model: Model,
  { abbr, maxSeqLen, source }: Pick<ModelConfig, 'abbr' | 'maxSeqLen' | 'source'>,
): Diagnostic[] {
  if (maxSeqLen === undefined || model.countTokens) return [];
  return [
    {
      code: 'task.uncounted_length',
      message: `\`max_seq_len\` has no effect: \`${abbr}\` does not count tokens, so texts that are too long are left to the server`,
      path: [...source, 'max_seq_len'],
    },
  ];
}
