import type { Encode } from './request-body.ts';

/** The marks that well-known tokenizers put before every text. */
const knownMarks = [
  '<s>',
  '<bos>',
  '<|begin_of_text|>',
  '<|startoftext|>',
  '<|bos|>',
  '<｜begin▁of▁sentence｜>',
  '<BOS_TOKEN>',
];

/** A mark that a prompt begins with, and that the tokenizer behind a server puts before it too. */
export interface DoubledMark {
  readonly mark: string;
  /** Whether the model's tokenizer says so; otherwise it is only likely. */
  readonly isCertain: boolean;
}

/**
 * Finds the mark that would stand twice before a text, if a server turns the text into tokens.
 *
 * @example
 * doubledMark('<s>[INST] Hi [/INST]'); // { mark: '<s>', isCertain: false }
 */
export function doubledMark(text: string, tokenizer?: Encode): DoubledMark | undefined {
  const own = tokenizer?.beginning;
  if (own !== undefined) {
    return own !== '' && text.startsWith(own) ? { mark: own, isCertain: true } : undefined;
  }
  const mark = knownMarks.find((known) => text.startsWith(known));
  return mark === undefined ? undefined : { mark, isCertain: false };
}
