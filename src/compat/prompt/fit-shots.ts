import { pyStr } from '../../python/repr.ts';
import { numberOf, PromptList, type PyValue } from '../../python/values.ts';
import { type ParseMode, parsePrompt, type TemplateParser } from './parser.ts';
import { promptListText } from './prompt-list.ts';

export interface FitOptions<Shot> {
  readonly build: (shots: readonly Shot[]) => PyValue;
  readonly parser: TemplateParser;
  readonly mode: ParseMode;
  /** How many tokens a prompt may have; `None` for no limit. */
  readonly maxSeqLen: PyValue;
}

export interface FittedPrompt {
  readonly prompt: PyValue;
  readonly shotCount: number;
}

/** Builds a prompt, with fewer examples from the end until it fits or has none. */
export function fitShots<Shot>(shots: readonly Shot[], options: FitOptions<Shot>): FittedPrompt {
  const limit = numberOf(options.maxSeqLen);
  let kept = shots;
  let prompt = options.build(kept);
  while (limit !== undefined && kept.length > 0 && countPromptTokens(prompt, options) > limit) {
    kept = kept.slice(0, -1);
    prompt = options.build(kept);
  }
  return { prompt, shotCount: kept.length };
}

function countPromptTokens<Shot>(prompt: PyValue, { parser, mode }: FitOptions<Shot>): number {
  const parsed = parsePrompt(parser, { prompt, mode });
  const texts = Array.isArray(parsed) ? parsed : [parsed];
  return texts
    .map((text) =>
      countTokens(pyStr(text instanceof PromptList ? promptListText(text, parser.compat) : text)),
    )
    .reduce((total, count) => total + count, 0);
}

/** OpenCompass' count of tokens for models without a tokenizer: words, and Chinese characters. */
export function countTokens(text: string): number {
  const words = text.match(/[A-Za-z0-9]+/g)?.length ?? 0;
  const characters = text.match(/[\u4e00-\u9fff]/g)?.length ?? 0;
  return words + characters;
}
