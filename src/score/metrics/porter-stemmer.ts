/**
 * The stem of an English word in lower case: Porter's algorithm (Program 14, 1980) with the changes
 * that NLTK makes to it, which ROUGE is computed with.
 */
export function stem(word: string): string {
  const irregular = irregularForms.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length <= 2) return word;
  return steps.reduce((text, step) => step(text), word);
}

const irregularForms: ReadonlyMap<string, string> = new Map([
  ['sky', 'sky'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['news', 'news'],
  ...['inning', 'outing', 'canning'].flatMap((word): [string, string][] => [
    [word, word],
    [`${word}s`, word],
  ]),
  ...['howe', 'proceed', 'exceed', 'succeed'].map((word): [string, string] => [word, word]),
]);

type Condition = (letters: Letters) => boolean;
type Rule = readonly [suffix: string, replacement: string];

const hasMeasure: Condition = ({ measure }) => measure > 0;
const hasLongMeasure: Condition = ({ measure }) => measure > 1;

/** The first suffix that fits decides: it is replaced if the stem meets the condition. */
function replaceSuffix(word: string, rules: readonly Rule[], condition: Condition): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const [suffix, replacement] = rule;
  const rest = word.slice(0, word.length - suffix.length);
  return condition(lettersOf(rest)) ? rest + replacement : word;
}

function dropPlural(word: string): string {
  if (word.endsWith('ies') && word.length === 4) return word.slice(0, -1);
  const rules: readonly Rule[] = [
    ['sses', 'ss'],
    ['ies', 'i'],
    ['ss', 'ss'],
    ['s', ''],
  ];
  return replaceSuffix(word, rules, () => true);
}

function dropPast(word: string): string {
  if (word.endsWith('ied')) return word.slice(0, word.length === 4 ? -1 : -2);
  if (word.endsWith('eed')) return replaceSuffix(word, [['eed', 'ee']], hasMeasure);
  const suffix = ['ed', 'ing'].find((ending) => word.endsWith(ending));
  const rest = suffix === undefined ? '' : word.slice(0, -suffix.length);
  return lettersOf(rest).hasVowel ? mendEnding(rest) : word;
}

/** Gives a word back what it lost before `ed` or `ing`. */
function mendEnding(rest: string): string {
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  const letters = lettersOf(rest);
  if (letters.endsDouble) return /[lsz]$/.test(rest) ? rest : rest.slice(0, -1);
  return letters.measure === 1 && letters.endsShort ? `${rest}e` : rest;
}

function changeY(word: string): string {
  return replaceSuffix(word, [['y', 'i']], ({ size, endsConsonant }) => size > 1 && endsConsonant);
}

const doubleSuffixes: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['fulli', 'ful'],
];

function joinSuffixes(word: string): string {
  if (word.endsWith('alli') && hasMeasure(lettersOf(word.slice(0, -4)))) {
    return joinSuffixes(word.slice(0, -2));
  }
  // Of `logi` the l belongs to the stem.
  if (word.endsWith('logi')) return replaceSuffix(word, [['ogi', 'og']], hasMeasure);
  return replaceSuffix(word, doubleSuffixes, hasMeasure);
}

const lightSuffixes: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

const lastSuffixes: readonly Rule[] = [
  ...['al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent'],
  ...['ou', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'],
].map((suffix) => [suffix, ''] as const);

function dropSuffix(word: string): string {
  if (word.endsWith('ion')) {
    const isWhole = /[st]ion$/.test(word);
    return replaceSuffix(word, [['ion', '']], (letters) => hasLongMeasure(letters) && isWhole);
  }
  return replaceSuffix(word, lastSuffixes, hasLongMeasure);
}

function dropE(word: string): string {
  return replaceSuffix(
    word,
    [['e', '']],
    ({ measure, endsShort }) => measure > 1 || (measure === 1 && !endsShort),
  );
}

function dropL(word: string): string {
  return word.endsWith('ll') ? replaceSuffix(word, [['l', '']], hasLongMeasure) : word;
}

const steps: readonly ((word: string) => string)[] = [
  dropPlural,
  dropPast,
  changeY,
  joinSuffixes,
  (word) => replaceSuffix(word, lightSuffixes, hasMeasure),
  dropSuffix,
  dropE,
  dropL,
];

/** The vowels and consonants of a word, as far as stemming looks at them. */
interface Letters {
  readonly size: number;
  /** How often a consonant follows a vowel. */
  readonly measure: number;
  readonly hasVowel: boolean;
  readonly endsConsonant: boolean;
  readonly endsDouble: boolean;
  /** Consonant, vowel, consonant (no w, x or y) at the end, or a word of a vowel and a consonant. */
  readonly endsShort: boolean;
}

/** An English word's letters. A y is a vowel after a consonant. */
function lettersOf(word: string): Letters {
  let kinds = '';
  for (const letter of word) {
    const isVowel = letter === 'y' ? kinds.endsWith('c') : 'aeiou'.includes(letter);
    kinds += isVowel ? 'v' : 'c';
  }
  const endsConsonant = kinds.endsWith('c');
  return {
    size: word.length,
    measure: kinds.split('vc').length - 1,
    hasVowel: kinds.includes('v'),
    endsConsonant,
    endsDouble: endsConsonant && word.length > 1 && word.at(-1) === word.at(-2),
    endsShort: kinds === 'vc' || (kinds.endsWith('cvc') && !/[wxy]$/.test(word)),
  };
}
