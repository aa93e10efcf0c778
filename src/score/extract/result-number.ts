import { readNumbers } from '../numbers/read-numbers.ts';
import type { Extraction, Extractor } from './extractor.ts';
import { convertedAfter, keepConverted, keepPercent, lastNumber } from './number-extractors.ts';
import { isDeniedNumber } from './unsettled-number.ts';

const currency = '(?:[€$£¥円元₩₹%]|dollars?|euros?|yen|yuan|pounds?|USD|EUR|JPY|CNY|GBP)';
/** A remark on a number, in brackets behind it. */
export const remark = new RegExp(
  String.raw`(?<=\d(?:[^\S\n]|[^\S\n]?${currency}[^\S\n]?|(?=（)))[(（[][^()（）[\]\n]*[)）\]]`,
  'giu',
);
// After a noun, brackets with a number alone may hold the answer: `five apples more than Ann has (8)`.
const remarkOnNoun =
  /(?<=\d(?:(?:[^\S\n]\p{L}{1,20}){1,4}[^\S\n]|[^\S\n]?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,8}[。．]?))[(（](?=[^()（）\n]*\p{L})[^()（）\n]{1,80}[)）]/gu;
const spelled =
  /[^\S\n]?\((?:(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thir|four|fif|six|seven|eigh|nine|twen|for|teen|ty|hundred|thousand|million|billion|and|dollars?|euros?|yen)[\s-]*)+\)[^.!?。\n]*/iy;

/** The end of the sentence in which a number is followed by its words in brackets; else 0. */
function endOfSpelled(text: string, end: number): number {
  spelled.lastIndex = end;
  return spelled.test(text) ? spelled.lastIndex : 0;
}

const totalWord =
  /total|altogether|(?<!\p{L})in all(?!\p{L})|insgesamt|zusammen|en tout|一共|总共|共计|共有|总数|合計|合计|総計|総数|全部で/iu;
const explaining =
  /^[^\d.!?。\n]{0,40}?(?:[,，]?\s*(?<!\p{L})(?:which is|i\.e\.|that is|namely|from|made up of|consisting of|nämlich|soit)(?!\p{L})|，(?:即|也就是)|[:：]|\.\s+(?:each|every|that['’]s|this is)(?!\p{L}))/iu;
const including =
  /^[^\d.!?。\n]{0,30}?(?:(?<!\p{L})(?:including|inklusive|inkl\.|davon|darunter)|其中|包括|うち)[^.!?。\n]*/iu;

/** Where the explanation of a total ends: `48 eggs in total: 4 boxes with 12 each`, `42 in total, including 2 for tax`. */
function explainedAfter(text: string, { value, start, end }: Extraction): number | undefined {
  const [before = ''] = text
    .slice(Math.max(0, start - 60), start)
    .split(/[.!?。\n]/)
    .slice(-1);
  const rest = text.slice(end, end + 300);
  const [clause = ''] = rest.split(/[.!?。\n,，:：]/, 1);
  if (!totalWord.test(before + clause)) return undefined;
  const part = including.exec(rest);
  if (part) return end + part[0].length;
  if (!explaining.test(rest) || rest.includes('=')) return undefined;
  const parts = Array.from(readNumbers(rest), (number) => Number(number.value));
  const sum = parts.reduce((total, number) => total + number, 0);
  const product = parts.reduce((total, number) => total * number, 1);
  const isExplained = parts.length > 1 && [sum, product].includes(Number(value));
  return isExplained ? end + rest.length : undefined;
}

const brackets = /(?:[^\S\n]\p{L}+){1,3}[^\S\n]?[(（](?<inner>[^()（）\n]{1,80})[)）]/uy;

/** Where the brackets end in which a number is taken apart: `24 students (12 boys and 12 girls)`. */
function partsAfter(text: string, { value, end }: Extraction): number | undefined {
  brackets.lastIndex = end;
  const parts = Array.from(readNumbers(brackets.exec(text)?.groups?.inner ?? ''), (part) =>
    Number(part.value),
  );
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.length > 1 && sum === Number(value) ? brackets.lastIndex : undefined;
}

const brokenDown =
  /(?<![\d.,])(?<total>\d[\d,]*(?:\.\d+)?)(?:[^\S\n]?\p{L}{1,15}){0,2}[^\S\n]?(?<parts>=[^\S\n]?\$?\d[\d,]*(?:\.\d+)?(?:[^\S\n]?[-−+*×·÷/][^\S\n]?\$?\d[\d,]*(?:\.\d+)?)+)(?![^\S\n]?[-−+*×·÷/=]|[\d.,]\d)/gu;

/** Where a number is taken apart again: the end of `48 = 4 × 12`. */
export function breakdownsIn(text: string) {
  if (!text.includes('=')) return [];
  return [...text.matchAll(brokenDown)].flatMap(({ 0: whole, index, groups }) => {
    const { total = '', parts = '' } = groups ?? {};
    const end = index + whole.length;
    return worked(parts.slice(1)) === Number(total.replaceAll(',', ''))
      ? [{ start: end - parts.length, end }]
      : [];
  });
}

/** What sums and products come to. */
function worked(expression: string): number {
  const [first = '', ...rest] = expression
    .replace(/[\s$,]/g, '')
    .replaceAll('−', '-')
    .split(/([-+*×·÷/])/);
  let [sum, product] = [0, Number(first)];
  for (let at = 0; at < rest.length; at += 2) {
    const number = Number(rest[at + 1]);
    const sign = rest[at] ?? '';
    if ('÷/'.includes(sign)) product /= number;
    else if ('*×·'.includes(sign)) product *= number;
    else [sum, product] = [sum + product, sign === '-' ? -number : number];
  }
  return sum + product;
}

/** Where an explanation or a remark in brackets begins below an answer of one line; else the end. */
function startOfExplanation(text: string): number {
  const lineEnd = text.indexOf('\n', text.search(/\S/));
  if (lineEnd < 0) return text.length;
  const heading =
    /^[*_#\s]{0,10}(?:explanation|reasoning|begründung|erklärung|解释|解析|解説|説明)\s?[*_]{0,2}[:：]/iu;
  const remarkBelow = /^[(（](?=[^()（）\n]*\p{L})[^()（）\n]*[)）]$/u;
  const below = text.slice(lineEnd).trim();
  const isExplained = heading.test(below) || remarkBelow.test(below);
  return isExplained ? lineEnd : text.length;
}

/** Whether the number counts a step or an item, or is part of a time: `Step 2 of 2`, `2. Then …`, `9:00`. */
function isCounter(text: string, { start, end }: Extraction): boolean {
  const before = text.slice(Math.max(0, start - 20), start);
  const after = text.slice(end, end + 4);
  return (
    /(?<!\p{L})(?:step|schritt)\s+(?:\d+\s+of\s+)?$|ステップ$|步骤$|第$/iu.test(before) ||
    (/(?:^|\n)[^\S\n]*$/.test(before) && /^[.)][^\S\n]+\p{L}/u.test(after)) ||
    /^:\d\d(?!\d)/.test(after) ||
    (/(?<!\d)\d{1,2}:$/.test(before) && end - start === 2)
  );
}

/** Marks of sources, margins and years in brackets: `50 states [1]`, `6371 ± 10`, `14 million people (2021)`. */
const asides =
  /(?<=\d[^\n]{0,120})[[【]\d{1,3}(?:[,–-]\s?\d{1,3})*[\]】](?![([])|(?<=\d[^\S\n]?)(?:±|\+\/-)[^\S\n]?\d+(?:\.\d+)?|(?<=\d[^\n]{0,60})[^\S\n]?[(（](?:1[89]|20)\d\d年?[)）](?=[\s.。]*$)|(?<=\d[^.\n]{0,60})(?<!\p{L})as of (?:\p{Lu}\p{L}+ )?(?:\d{1,2},? )?(?:1[89]|20)\d\d(?=[\s.。]*$)/gu;

function spansOf(text: string, pattern: RegExp) {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

/**
 * The last number that is not denied and does not stand in a remark on another one: `80000 (2 steps)`
 * comes to 80000, `42, not 41` to 42. A remark is what stands in brackets after a number and a space, or after the
 * number's currency. After a number that is written out in words, as in `3,000 (three thousand) dollars in 2
 * years`, the rest of the sentence names no other.
 */
export const resultNumber: Extractor = {
  name: lastNumber.name,
  extract(text) {
    const hasBrackets = /[(（]/.test(text);
    const hasRemarks = /[[【(（±]|\+\/-|as of /.test(text);
    const remarks = [
      ...(hasRemarks
        ? [remark, remarkOnNoun, asides].flatMap((pattern) => spansOf(text, pattern))
        : []),
      ...breakdownsIn(text),
    ];
    const explained = startOfExplanation(text);
    const hasTotal = totalWord.test(text);
    let last: Extraction | undefined;
    let settledTo = 0;
    for (const number of readNumbers(text)) {
      if (last && (number.start > explained || isCounter(text, number))) continue;
      if (number.start < settledTo || isDeniedNumber(text, number)) continue;
      if (remarks.some(({ start, end }) => number.start >= start && number.end <= end)) continue;
      last = number;
      const inBrackets = hasBrackets
        ? (convertedAfter(text, number)?.end ?? partsAfter(text, number))
        : undefined;
      settledTo =
        inBrackets ??
        (hasTotal ? explainedAfter(text, number) : undefined) ??
        (hasBrackets ? endOfSpelled(text, number.end) : 0);
    }
    return last;
  },
};

/** The last number of an answer, with its percent sign and with what it is in another unit. */
export const lastAmount = keepConverted(keepPercent(resultNumber));
