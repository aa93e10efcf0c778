import { stripText } from '../../python/text.ts';
import { segmenterOf } from '../segment/segmenter.ts';
import { splitWords, trimEnd } from './split-words.ts';

export type BleuTokenizer = '13a' | 'intl' | 'char' | 'zh' | 'none' | 'ja';

export const bleuTokenizers: readonly BleuTokenizer[] = ['13a', 'intl', 'char', 'zh', 'none', 'ja'];

/** What splits a text into the words that BLEU compares, as in sacreBLEU but for `ja`. */
export function tokenizerOf(name: BleuTokenizer): (text: string) => string[] {
  switch (name) {
    case '13a':
      return (text) => splitWestern(` ${unescapeMarkup(trimEnd(text))} `);
    case 'intl':
      return (text) => splitInternational(trimEnd(text));
    case 'char':
      return (text) => Array.from(text).flatMap(splitWords);
    case 'zh':
      return (text) => splitWestern(stripText(text).replace(chinese, ' $& '));
    case 'none':
      return splitWords;
    case 'ja':
      return segmenterOf('ja');
  }
}

/** What NIST's mteval-v13a does before it looks at punctuation. */
function unescapeMarkup(text: string): string {
  return text
    .replaceAll('<skipped>', '')
    .replaceAll('-\n', '')
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}

/** Punctuation stands alone, but for stops and commas inside numbers, hyphens and apostrophes. */
function splitWestern(text: string): string[] {
  return splitWords(
    text
      .replace(/[{-~[-` -&(-+:-@/]/g, ' $& ')
      .replace(/([^0-9])([.,])/gu, '$1 $2 ')
      .replace(/([.,])([^0-9])/gu, ' $1 $2')
      .replace(/([0-9])-/g, '$1 - '),
  );
}

/** NIST's mteval-v14: all of Unicode's punctuation and symbols, but for signs inside numbers. */
function splitInternational(text: string): string[] {
  return splitWords(
    text
      .replace(/(\P{N})(\p{P})/gu, '$1 $2 ')
      .replace(/(\p{P})(\P{N})/gu, ' $1 $2')
      .replace(/\p{S}/gu, ' $& '),
  );
}

/**
 * What sacreBLEU takes for a Chinese character. The first range is wider than meant there, since it
 * is written with four-digit escapes; scores are to be the same.
 */
const chinese = new RegExp(
  '[\\u2001-\\u2a6d\\u2e80-\\u2fdf\\u2ff0-\\u303f\\u3100-\\u312f\\u31a0-\\u31ef\\u3200-\\u4db5' +
    '\\u4e00-\\u9fbb\\uf900-\\ufa2d\\ufa30-\\ufa6a\\ufa70-\\ufad9\\ufe10-\\ufe1f\\ufe30-\\ufe4f' +
    '\\uff00-\\uffef]',
  'g',
);
