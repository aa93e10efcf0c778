import type { Extraction } from '../extract/extractor.ts';
import { withSign } from './read-numbers.ts';

const units = 'zero one two three four five six seven eight nine'.split(' ');
const teens =
  'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const tens = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const englishValues = new Map<string, number>([
  ...units.map((word, value) => [word, value] as const),
  ...teens.map((word, value) => [word, value + 10] as const),
  ...tens.map((word, value) => [word, value * 10] as const),
]);

const small = `(?:(?:${tens.slice(2).join('|')})(?:[- ](?:${units.slice(1).join('|')}))?|${[...teens, ...units].join('|')})`;
const hundreds = `(?:(?:${units.slice(1).join('|')}|a) hundred(?:(?: and)? ${small})?|${small})`;
const english = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:${hundreds} thousand(?:,?(?: and)? ${hundreds})?|${hundreds})(?![\\p{L}\\p{N}]|-\\p{L}| ?(?:hundred|thousand|million|billion|dozen|score)\\b)`,
  'giu',
);

/** What makes something else of a number in words: a share, a multiple, a part of a comparison. */
const notAlone =
  /^[*_]*(?:[- ](?:thirds?|half|halves|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?|times|fold|point|of|or|more|less|fewer|out|by|minus|plus)(?!\p{L})| and (?:a half|(?:one|two|three)[- ]\p{L}+)|[-–])/iu;
/** `the two`, `which one`: what was named before. */
const known =
  /(?<!\p{L})(?:the|these|those|all|of|other|first|last|next|every|each|any|no|either|both|which|this|that|step|part|another|some|point|or|than)\s+[*_]*$/iu;

/**
 * The numbers that a text says in words, from left to right: `twenty-three` is 23, `三千五百` is 3500. What is no
 * number by itself, as `two thirds`, `three times` or `the two`, is left out.
 */
export function readNumberWords(text: string): readonly Extraction[] {
  const words = Array.from(text.matchAll(english)).flatMap(({ 0: { length }, 0: said, index }) => {
    const end = index + length;
    if (notAlone.test(text.slice(end, end + 24))) return [];
    if (known.test(text.slice(Math.max(0, index - 12), index))) return [];
    return [{ value: String(valueOfEnglish(said)), start: index, end }];
  });
  return [...words, ...readHanNumerals(text)]
    .map((number) => withSign(text, number))
    .sort((left, right) => left.start - right.start);
}

function valueOfEnglish(said: string): number {
  let total = 0;
  let current = 0;
  for (const word of said.toLowerCase().split(/[\s,-]+/)) {
    if (word === 'thousand') {
      total += current * 1_000;
      current = 0;
    } else if (word === 'hundred') current *= 100;
    else if (word === 'a') current = 1;
    else current += englishValues.get(word) ?? 0;
  }
  return total + current;
}

const hanValues = new Map<string, number>([
  ...Array.from('〇一二三四五六七八九', (digit, value) => [digit, value] as const),
  ['零', 0],
  ['两', 2],
  ['兩', 2],
]);
const powers = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1_000],
]);
const myriads = new Map([
  ['万', 1e4],
  ['萬', 1e4],
  ['億', 1e8],
  ['亿', 1e8],
]);

const numerals = '〇零一二两兩三四五六七八九十百千万萬億亿';
// A share, such as 三分の二, is none of its numerals.
const hanRun = new RegExp(
  `(?<![第\\d${numerals}]|分[の之])[${numerals}]+(?![${numerals}]|分[の之])`,
  'gu',
);
/** What a single numeral needs after it to be one, and not a piece of a word such as 一概 or 三角. */
const counted =
  /^(?:[つ个個人名本枚元円块塊年月日天岁歳只隻头頭匹台冊册回次倍件张張条條杯篇章分秒。、，,.!！]|[かヶ箇]|です|である|だ|$)/u;

/** The numbers that a text writes with Chinese numerals, from left to right. */
function readHanNumerals(text: string): readonly Extraction[] {
  const bare = text.replaceAll(/[\s。.、，!！*]/g, '');
  return Array.from(text.matchAll(hanRun)).flatMap(({ 0: said, index }) => {
    const end = index + said.length;
    const isWhole = said.length > 1 || (said !== '一' && !powers.has(said) && !myriads.has(said));
    const isAll = bare === said;
    const isCounted = said.length > 1 || counted.test(text.slice(end, end + 3));
    const value = isAll || (isCounted && isWhole) ? valueOfRun(said) : undefined;
    return value === undefined ? [] : [{ value: String(value), start: index, end }];
  });
}

/** Nothing where it can be read in two ways: 三四 (three or four), 百二 (102 or 120). */
function valueOfRun(said: string): number | undefined {
  if (!/[十百千万萬億亿]/.test(said)) return valueOfDigits(said);
  if (/[百千万萬億亿][一二三四五六七八九]$/u.test(said)) return undefined;
  let total = 0;
  let section = 0;
  let digit: number | undefined;
  let limit = Number.POSITIVE_INFINITY;
  let sectionLimit = Number.POSITIVE_INFINITY;
  for (const character of said) {
    const value = hanValues.get(character);
    const power = powers.get(character);
    const myriad = myriads.get(character);
    if (value !== undefined) {
      if (digit !== undefined && digit !== 0) return undefined;
      digit = value;
    } else if (power !== undefined) {
      if (power >= sectionLimit) return undefined;
      section += (digit || 1) * power;
      sectionLimit = power;
      digit = undefined;
    } else if (myriad !== undefined) {
      if (myriad >= limit) return undefined;
      total += (section + (digit ?? 0) || 1) * myriad;
      limit = myriad;
      [section, sectionLimit, digit] = [0, Number.POSITIVE_INFINITY, undefined];
    }
  }
  return total + section + (digit ?? 0);
}

function valueOfDigits(said: string): number | undefined {
  const values = Array.from(said, (character) => hanValues.get(character) ?? 0);
  const [one = 0, other] = values;
  if (values.length === 2 && other === one + 1) return undefined;
  return values.length > 15 ? undefined : Number(values.join(''));
}
