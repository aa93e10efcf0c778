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

/** What a prompt begins with: a text, or tokens by their ids. */
export type Beginning = string | readonly number[];

/**
 * Finds the mark that the tokenizer of a model puts before texts, and that a prompt lacks to which
 * nothing is added.
 *
 * @example
 * missingMark('[INST] Hi [/INST]', Object.assign((text: string) => [text.length], { beginning: '<s>' }));
 * // '<s>'
 */
export function missingMark(beginning: Beginning, tokenizer?: Encode): string | undefined {
  const mark = tokenizer?.beginning;
  if (!tokenizer || mark === undefined || mark === '') return undefined;
  const isThere =
    typeof beginning === 'string'
      ? beginning.startsWith(mark)
      : tokenizer(mark).every((id, index) => beginning[index] === id);
  return isThere ? undefined : mark;
}
