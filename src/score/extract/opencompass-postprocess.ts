import { collapseSpace, pythonSpace, pythonWord, stripText } from '../../python/text.ts';

/** OpenCompass's post-processors that need no settings, by the names that its configs use. */
export const opencompassPostprocessors: ReadonlyMap<string, (text: string) => string> = new Map([
  ['general', cleanAnswer],
  ['first-capital', firstCapital],
  ['last-capital', lastCapital],
  ['first-capital-multi', firstCapitalRun],
  ['multiple-select', sortedCapitals],
  ['extract-non-reasoning-content', (text) => withoutThoughts(text, '<think>', '</think>')],
]);

/** The text as one of these post-processors leaves it. */
export function cleanWith(name: string, text: string): string {
  return opencompassPostprocessors.get(name)?.(text) ?? text;
}

const punctuation = new RegExp(`[^${pythonWord}${pythonSpace}]`, 'gu');
const article = new RegExp(`(?<![${pythonWord}])(?:a|an|the)(?![${pythonWord}])`, 'giu');

function cleanAnswer(text: string): string {
  const [start = ''] = text.split(/[\n.,]/, 1);
  return stripText(collapseSpace(start.replaceAll(punctuation, '').replaceAll(article, '')));
}

function findCapitals(text: string): string[] {
  return text.match(/\p{Uppercase}/gu) ?? [];
}

function firstCapital(text: string): string {
  return findCapitals(text)[0] ?? '';
}

function lastCapital(text: string): string {
  return findCapitals(text).at(-1) ?? '';
}

function firstCapitalRun(text: string): string {
  return /[A-D]+/.exec(text)?.[0] ?? '';
}

function sortedCapitals(text: string): string {
  const codePoints = [...new Set(findCapitals(text))].map((letter) => letter.codePointAt(0) ?? 0);
  return String.fromCodePoint(...codePoints.sort((left, right) => left - right));
}

/** A text without what stands between marks. */
export function withoutThoughts(text: string, begin: string, end: string): string {
  let rest = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(begin, from);
    const close = start < 0 ? -1 : text.indexOf(end, start + begin.length);
    if (close < 0) return stripText(rest + text.slice(from));
    rest += text.slice(from, start);
    from = close + end.length;
  }
}

/** The last number before a next question, as it is written, or `NULL`. */
export function gsm8kNumber(text: string): string {
  const [answer = ''] = text.split('Question:', 1);
  return answer.match(/-?\p{Nd}+\.\p{Nd}+|-?\p{Nd}+/gu)?.at(-1) ?? 'NULL';
}

/** What stands between the mark of the final answer and the next such mark, or `''`. */
export function gsm8kGold(text: string): string {
  return (text.split('#### ')[1] ?? '').replaceAll(',', '');
}

/** The last character of the text that is one of the options, or `''`. */
export function lastOption(text: string, options: string): string {
  const letters = new Set(options);
  return [...text].findLast((character) => letters.has(character)) ?? '';
}

const digit = /\p{Nd}/u;

/** The first number in the text, in any script's digits, or `null`. */
export function firstNumber(text: string): number | null {
  const match = /-?\p{Nd}+(?:\.\p{Nd}+)?/u.exec(text);
  return match === null ? null : Number(match[0].replaceAll(/\p{Nd}/gu, asciiDigit));
}

// Decimal digits come in unbroken runs of ten, zero first.
function asciiDigit(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  let start = codePoint;
  while (digit.test(String.fromCodePoint(start - 1))) start -= 1;
  return String((codePoint - start) % 10);
}

/** Up to the first line break, and the first full stop, exclamation mark or comma that stands in no number. */
export function firstClause(text: string): string {
  return text.trim().split(/\n|[.,，](?!\d)|[。!！]/, 1)[0] ?? '';
}

/**
 * The words of a text: without punctuation, but for what stands in numbers and sets no thousands apart, and without articles
 * before other words. Where nothing would be left, the text as it is.
 *
 * @example
 * plainWords('The "Eiffel Tower"!'); // 'Eiffel Tower'
 * plainWords('(A)'); // 'A'
 * plainWords('-3.5'); // '-3.5'
 * plainWords('1,000'); // '1000'
 */
export function plainWords(text: string): string {
  const words = text
    .replaceAll(thousands, (number) => number.replaceAll(',', ''))
    .replaceAll(looseMark, '')
    .replaceAll(leadingArticle, '');
  const plain = stripText(collapseSpace(words));
  return plain === '' ? text.trim() : plain;
}

const word = pythonWord;
const thousands = /(?<![\p{N}.,])[1-9]\d{0,2}(?:,\d{3})+(?![\p{N},])/gu;
const inNumber = String.raw`(?<=\d)[^${word}${pythonSpace}](?=\d)|(?<![${word}])[-−+.](?=\.?\d)`;
const looseMark = new RegExp(`(?!${inNumber})[^${word}${pythonSpace}]`, 'gu');
const leadingArticle = new RegExp(
  `(?<![${word}])(?:a|an|the)(?=[${pythonSpace}]+[${word}])(?![${word}])`,
  'giu',
);
