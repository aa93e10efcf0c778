import { readNumberWords } from '../numbers/read-number-words.ts';
import { type Extraction, type Extractor, firstOf, within } from './extractor.ts';
import {
  afterMarker,
  answerLine,
  answerTag,
  boxed,
  startsSolution,
  underHeading,
  untilNextQuestion,
} from './marked-answer.ts';
import { firstAmount, keepConverted } from './number-extractors.ts';
import { breakdownsIn, lastAmount, remark } from './result-number.ts';
import {
  isDeniedNumber,
  settledNumbers,
  statement,
  unlessCutOff,
  unlessDenied,
  unlessRefused,
} from './unsettled-number.ts';

const statedAmount = keepConverted(firstAmount);

const afterSign = afterMarker(['=']);

/** What gives the reason for a number: `18, since 9 * 2 = 18`. */
const reason =
  /(?<=\d[^\n]{0,40})[,;]?\s\(?(?:since|because|as|where|given that|weil|car|puisque)\s[^\n]*|(?<=\d[^\n]{0,20})[,，]?(?:因为|なぜなら)[^\n]*/giu;

/** What follows the last equals sign that is no part of a remark or a reason: `24 (= 12 × 2)` has none. */
const afterEquals: Extractor = {
  name: afterSign.name,
  extract(text) {
    const stated = [remark, reason].reduce((rest, aside) => rest.replace(aside, blank), text);
    return afterSign.extract(
      breakdownsIn(stated).reduce(
        (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
        stated,
      ),
    );
  },
};

function blank({ length }: string): string {
  return ' '.repeat(length);
}

const endOfClause = /[.,;:!?()（）。，；：！？\n]/;

/** The number in words with which a statement begins: `fifteen apples, since …`. */
const statedWords: Extractor = {
  name: 'number-words',
  extract(text) {
    const lead =
      /^[\s*_"'“:]*(?:(?:about|exactly|approximately|just|only|a total of)\s+)?[*_"'“]*/i;
    const start = lead.exec(text)?.[0].length ?? 0;
    if (/\d/.test(text.charAt(start))) return undefined;
    const [first, ...others] = readNumberWords(text);
    if (first?.start !== start) return undefined;
    const [rest = ''] = text.slice(first.end).split(endOfClause, 1);
    const isMore =
      /\d/.test(rest) ||
      others.some(({ start }) => start < first.end + rest.length) ||
      isOne(text, first, rest);
    return isMore ? undefined : first;
  },
};

/** `one`, which stands for many things, with more after it. */
function isOne(text: string, { start, end }: Extraction, rest: string): boolean {
  return text.slice(start, end).toLowerCase() === 'one' && /\p{L}/u.test(rest);
}

const concluding =
  /^[\s*_]*(?:so|therefore|thus|hence|in total|altogether|also|daher|よって|したがって|合計|所以|因此|一共)/iu;

/** The one number that an answer without digits says in words, if it is one sentence or its conclusion. */
const onlyWords: Extractor = {
  name: 'number-words',
  extract(text) {
    if (/\d/.test(text)) return undefined;
    const sentences = text.trim().split(/(?<=[.!?。！？])\s*|\n+/);
    const last = sentences.at(-1) ?? '';
    if (sentences.length > 1 && !concluding.test(last)) return undefined;
    const from = text.lastIndexOf(last);
    const words = [...readNumberWords(last)];
    const [first, ...others] = endOfSum(last, words) ?? words;
    if (!first || others.some(({ value }) => value !== first.value)) return undefined;
    const isAlone = !/\p{L}/u.test(last.slice(0, first.start) + last.slice(first.end));
    if (/^one$/i.test(last.slice(first.start, first.end)) && !isAlone) return undefined;
    const found = { value: first.value, start: from + first.start, end: from + first.end };
    return isDeniedNumber(text, found) ? undefined : found;
  },
};

/** The last number of `three plus four equals seven`. */
function endOfSum(text: string, words: readonly Extraction[]): Extraction[] | undefined {
  const [other, result] = words.slice(-2);
  if (!other || !result) return undefined;
  const isSum = /\s(?:plus|minus|times|(?:multiplied|divided) by)\s+$/i;
  const isResult = /^\s+(?:equals?|makes?|gives?|comes? to|(?:is|are)(?: equal to)?)\s+$/i;
  return isSum.test(text.slice(0, other.start)) &&
    isResult.test(text.slice(other.end, result.start))
    ? [result]
    : undefined;
}

const retracting =
  '(?:wait|hold on|no|nope|actually|correction|scratch that|sorry|oops|i mean|on second thoughts?)';
const corrected = new RegExp(
  String.raw`(?:^|[.!?…;\n–—])\s{0,4}(?:hmm[\s,.…]{1,4})?${retracting}(?:[\s,.!…–—-]{1,4}${retracting}){0,3}(?=[\s,.!…:–—-])(?:[^.!?\n\d]{0,80}[.!?]\s{1,4}(?=it\b|that\b))?[\s,.:!…–—-]{0,6}(?:it(?:['’]s|\s+is|\s+should\s+be|\s+must\s+be)|that\s+should\s+be|make\s+(?:it|that)|the\s+(?:total|result)\s+is)?[\s*:$€£¥]{0,6}(?=[-−+]?\d)`,
  'giu',
);

/** The number with which an answer corrects itself after it has said what the answer is. */
const correctedAmount: Extractor = {
  name: 'correction',
  extract(text) {
    const last = [...text.matchAll(corrected)].at(-1);
    if (!last || [...text.matchAll(statement)].some(({ index }) => index > last.index))
      return undefined;
    const from = last.index + last[0].length;
    const number = firstAmount.extract(text.slice(from));
    if (!number || number.start > 0) return undefined;
    const found = { value: number.value, start: from, end: from + number.end };
    const isWhole = /^[*_]*(?:[^\S\n]\p{L}+){0,2}[*_]*\s*(?:$|[.!,;\n])/u.test(
      text.slice(found.end),
    );
    return isWhole && !isDeniedNumber(text, found) ? found : undefined;
  },
};

/** Looks for a number in the line that says what the answer is, unless a solution begins there. */
function stated(extractor: Extractor): Extractor {
  const { name, extract } = unlessDenied(within(answerLine, extractor));
  return { name, extract: (text) => (startsSolution(text) ? undefined : extract(text)) };
}

/** A line with a number and its unit alone. */
const amountAlone: Extractor = {
  name: firstAmount.name,
  extract: (text) =>
    /^[\s*_$€£¥\\([]*[-−+]?[$€£¥]?\d[\d.,]*%?(?:[^\S\n]?\p{L}+){0,2}[\s*_$.。\\)\]]*$/u.test(text)
      ? firstAmount.extract(text)
      : undefined,
};

const operation =
  /(?<left>\d[\d.,]*\s?%?)\s*(?:\p{L}+\s+){0,2}?(?<sign>%?\s*of|times|multiplied\s+by|divided\s+by|plus|minus|more\s+than|less\s+than|[-−+*×·÷/])\s*(?:\p{L}+\s+){0,2}?[$€£¥]?(?<right>\d+(?:[.,]\d+)*)|(?<part>half|twice|double|triple|a\s+(?:third|quarter)|the\s+square\s+root)\s+(?:of\s+)?[$€£¥]?(?<whole>\d+(?:[.,]\d+)*)/iu;
const comesTo =
  /(?:which\s+(?:is|equals|gives|makes|comes\s+to)|i\.e\.,?|that\s+is,?|equals|(?<=[,，]\s?)(?:so|or)|:)[\s*$€£¥]*\d[\d.,]*%?/iu;

/** The result of the sum with which a statement begins: `20% of 50, which is 10`. */
const resultOfSum: Extractor = {
  name: 'result-of-sum',
  extract(text) {
    const plain = text.slice(0, 300).replace(/[\\$]/g, ' ');
    const sum = operation.exec(plain);
    if (!sum?.groups || /\d/.test(plain.slice(0, sum.index))) return undefined;
    const from = sum.index + sum[0].length;
    const result = comesTo.exec(plain.slice(from, from + 60));
    if (!result || /\d/.test(plain.slice(from, from + result.index))) return undefined;
    const number = firstAmount.extract(result[0]);
    const isIt =
      number && resultsOf(sum.groups).some((value) => isNear(value, Number(number.value)));
    const start = from + result.index;
    return isIt
      ? { value: number.value, start: start + number.start, end: start + number.end }
      : undefined;
  },
};

/** What two numbers, or a number and what is taken of it, may come to. */
function resultsOf(groups: Readonly<Record<string, string | undefined>>): readonly number[] {
  const read = (text: string | undefined) => Number(text?.replace(/[,%\s]|[.,]$/g, ''));
  const { left, right, part, whole } = groups;
  if (part !== undefined) {
    const number = read(whole);
    return [number / 2, number * 2, number * 3, number / 3, number / 4, Math.sqrt(number)];
  }
  const [one, other] = [read(left), read(right)];
  return [one + other, one - other, other - one, one * other, one / other, (one * other) / 100];
}

function isNear(value: number, other: number): boolean {
  return Math.abs(value - other) <= 0.01 * Math.abs(other);
}

/** Where the number of an answer is looked for, in this order. */
export const answerNumber = untilNextQuestion(
  settledNumbers([
    within(boxed, lastAmount),
    within(boxed, onlyWords),
    within(answerTag, lastAmount),
    within(afterMarker(['####']), statedAmount),
    correctedAmount,
    firstOf(stated(statedWords).name, [stated(resultOfSum), stated(statedWords)]),
    stated(within(afterEquals, statedAmount)),
    firstOf(stated(statedAmount).name, [stated(statedAmount), within(underHeading, amountAlone)]),
    unlessRefused(unlessDenied(unlessCutOff(lastAmount))),
    unlessRefused(onlyWords),
  ]),
);
