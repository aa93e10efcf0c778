import { collapseSpace, pythonSpace, pythonWord, stripText } from '../../python/text.ts';

/** Up to the first line break, and the first full stop or comma that stands in no number. */
export function firstClause(text: string): string {
  return text.trim().split(/\n|[.,](?!\d)/, 1)[0] ?? '';
}

/**
 * The words of a text: without punctuation, but for what stands in numbers, and without articles
 * before other words. Where nothing would be left, the text as it is.
 *
 * @example
 * plainWords('The "Eiffel Tower"!'); // 'Eiffel Tower'
 * plainWords('(A)'); // 'A'
 * plainWords('-3.5'); // '-3.5'
 */
export function plainWords(text: string): string {
  const words = text.replaceAll(punctuation, '').replaceAll(article, '');
  const plain = stripText(collapseSpace(words));
  return plain === '' ? text.trim() : plain;
}

const word = pythonWord;
const inNumber = String.raw`(?<=\d)[^${word}${pythonSpace}](?=\d)|(?<![${word}])[-−+.](?=\.?\d)`;
const punctuation = new RegExp(`(?!${inNumber})[^${word}${pythonSpace}]`, 'gu');
const article = new RegExp(
  `(?<![${word}])(?:a|an|the)(?=[${pythonSpace}]+[${word}])(?![${word}])`,
  'giu',
);
