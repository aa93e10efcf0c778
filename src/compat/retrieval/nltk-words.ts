import { splitSentences } from './nltk-sentences.ts';

type Replacement = readonly [RegExp, string];

const word = '[\\p{L}\\p{N}_]';
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
