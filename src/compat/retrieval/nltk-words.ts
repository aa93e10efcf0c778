import { pythonWord } from '../../python/text.ts';

type Replacement = readonly [RegExp, string];

const word = `[${pythonWord}]`;
const wordEdge = `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;

const openingQuotes: readonly Replacement[] = [
  [/[«“‘„]|`+/gu, ' $& '],
  [/^"/u, '``'],
  [/``/gu, ' `` '],
  [/([ ([{<])(?:"|'{2})/gu, '$1 `` '],
  [new RegExp(`'(?!re|ve|ll|m|t|s|d|n)(${word})${wordEdge}`, 'giu'), "' $1"],
];

const punctuation: readonly Replacement[] = [
  [/([^.])\.([\])}>"'»”’ ]*)\s*$/gu, '$1 . $2 '],
  [/([:,])(\P{Nd})/gu, ' $1 $2'],
  [/[:,](?=\n?$)/gu, ' $& '],
  [/\.{2,}/gu, ' $& '],
  [/[;@#$%&]/gu, ' $& '],
  [/([^.])\.([\])}>"']*)\s*$/gu, '$1 .$2 '],
  [/[?!]/gu, ' $& '],
  [/([^'])' /gu, "$1 ' "],
  [/\*/gu, ' * '],
  [/[\][(){}<>]/gu, ' $& '],
  [/--/gu, ' -- '],
];

const closingQuotes: readonly Replacement[] = [
  [/[»”’]/gu, ' $& '],
  [/''/gu, " '' "],
  [/"/gu, " '' "],
  [/([^' ])('[sSmMdD]|') /gu, '$1 $2 '],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /gu, '$1 $2 '],
];

const contractions: readonly Replacement[] = [
  ...['can|not', "d|'ye", 'gim|me', 'gon|na', 'got|ta', 'lem|me', "more|'n"].map(
    (pair): Replacement => {
      const [first, second] = pair.split('|');
      return [new RegExp(`${wordEdge}(${first})(${second})${wordEdge}`, 'giu'), ' $1 $2 '];
    },
  ),
  [new RegExp(`${wordEdge}(wan)(na)(?=\\s)`, 'giu'), ' $1 $2 '],
  [new RegExp(` ('t)(is)${wordEdge}`, 'giu'), ' $1 $2 '],
  [new RegExp(` ('t)(was)${wordEdge}`, 'giu'), ' $1 $2 '],
];

/** What NLTK's `word_tokenize` gives; sentences are told apart by rule, without its trained model. */
export function splitNltkWords(text: string): string[] {
  return splitSentences(text).flatMap(splitSentenceWords);
}

/** What NLTK's word tokeniser makes of one sentence: the Penn Treebank's conventions, extended. */
export function splitSentenceWords(sentence: string): string[] {
  const spaced = replaceAll(sentence, [...openingQuotes, ...punctuation]);
  const split = replaceAll(` ${spaced} `, [...closingQuotes, ...contractions]);
  return split.split(/\s+/u).filter((token) => token !== '');
}

function replaceAll(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce(
    (changed, [pattern, replacement]) => changed.replace(pattern, replacement),
    text,
  );
}

/** Words whose full stop does not end a sentence. */
const abbreviations = new Set(
  'a.m co col corp dr gen gov inc jr lt ltd mr mrs ms p.m prof rep sen sgt sr st u.k u.s vs'.split(
    ' ',
  ),
);

/** A mark that may end a sentence, with quotes and brackets that close after it. */
const sentenceEnd = /[.?!]+(?:["')\]}]+)?(?=\s+\S)/gu;

/**
 * Sentences of a text. A full stop, a question mark or an exclamation mark before white space ends
 * one, unless it belongs to an ellipsis, an abbreviation, an initial before a word, or a number
 * before a word that is not capitalised.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(sentenceEnd)) {
    const end = index + mark.length;
    const rest = text.slice(end).trimStart();
    const before = text.slice(start, index);
    if (!endsSentence(mark, before, rest)) continue;
    sentences.push(text.slice(start, end));
    start = text.length - rest.length;
  }
  return [...sentences, text.slice(start).trimEnd()].filter((sentence) => sentence !== '');
}

function endsSentence(mark: string, before: string, rest: string): boolean {
  if (mark.startsWith('..')) return false;
  if (!mark.startsWith('.')) return true;
  const [word = ''] = before.match(/[^\s("'[{]*$/u) ?? [];
  const isBare = mark === '.';
  if (isBare && /^\p{L}$/u.test(word)) return !/^[\p{L};:,.!?]/u.test(rest);
  if (isBare && /^-?[.,]?\p{Nd}[\p{Nd},.-]*$/u.test(word)) {
    return !/^[\p{Ll};:,.!?]/u.test(rest);
  }
  return !abbreviations.has(word.toLowerCase());
}
