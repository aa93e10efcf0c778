import { readNumbers } from '../numbers/read-numbers.ts';
import { foldWidth } from '../text-matching.ts';
import { type Extraction, type Extractor, within } from './extractor.ts';
import {
  afterMarker,
  answerLine,
  answerMarkers,
  boxed,
  untilNextQuestion,
} from './marked-answer.ts';
import { settledNumbers, unlessRefused } from './unsettled-number.ts';

/** The first number of a text, as plain decimal text. */
export const firstNumber: Extractor = {
  name: 'first-number',
  extract(text) {
    for (const number of readNumbers(text)) return number;
    return undefined;
  },
};

/** The same, with a percent sign where one follows the number. */
export function keepPercent({ name, extract }: Extractor): Extractor {
  return {
    name,
    extract(text) {
      const found = extract(text);
      if (!found) return undefined;
      const sign = /\s?(?:\\?[%％]|per\s?cent\b|パーセント)/iy;
      sign.lastIndex = found.end;
      if (!sign.test(text)) return found;
      return { value: `${found.value}%`, start: found.start, end: sign.lastIndex };
    },
  };
}

/** The first number of a text, with its percent sign. */
export const firstAmount = keepPercent(firstNumber);

/** The last number of a text, as plain decimal text. */
export const lastNumber: Extractor = {
  name: 'last-number',
  extract(text) {
    let last: Extraction | undefined;
    for (const number of readNumbers(text)) last = number;
    return last;
  },
};

const currency = '(?:[€$£¥円元₩₹%]|dollars?|euros?|yen|yuan|pounds?|USD|EUR|JPY|CNY|GBP)';
const remark = new RegExp(
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

const marks = String.raw`[\s*_"'“”$(\\[{]*`;
const deniedBefore = new RegExp(
  String.raw`(?:(?:\b(?:not|nor|neither)|n['’]t|\bcannot)(?:\s+(?:be|equal|to|the))*|\b(?:rather than|instead of)|不(?:可能)?是|并非)${marks}$`,
  'i',
);
const deniedAfter =
  /^[*_"'”$)\\\]}]*(?:\s+(?:is|was)(?:n['’]t|\s+not)\s+(?:the\s+)?(?:correct|right|answer)\b|\s+(?:is|was)\s+(?:incorrect|wrong)\b|\s*\p{L}{0,3}?(?:は|が)?(?:では(?:な|あり)|じゃ(?:な|あり)|誤り|間違|不正解)|\s*(?:是错|不(?:对|對|正确)))/iu;

/** Whether a text says of a number that it is not the answer. */
function isDeniedNumber(text: string, { start, end }: Extraction): boolean {
  return (
    deniedBefore.test(text.slice(Math.max(0, start - 40), start)) ||
    deniedAfter.test(text.slice(end, end + 40))
  );
}

const denial = new RegExp(
  String.raw`\banswer\s+(?:(?:is|was|can|could|must|should|will|would)(?:\s+not|n['’]t)|cannot)(?:\s+(?:be|equal|to|the))*${marks}(?=[-−+]?[$€£¥]?\d)|(?:答え|正解)は${marks}(?=[-−+]?[\d.,]{1,30}\s*\p{L}{0,3}?(?:では(?:な|あり)|じゃ(?:な|あり)))|答案(?:并不|不(?:可能)?)是${marks}(?=[-−+]?\d)|答案并非${marks}(?=[-−+]?\d)`,
  'giu',
);
const statement = new RegExp(answerMarkers.join('|'), 'gi');
const correction = new RegExp(
  String.raw`(?:\b(?:but|rather|instead)(?:\s+(?:rather|instead|actually))?(?:\s+(?:is|it\s+is))?|\bit(?:\s+(?:is|should\s+be|must\s+be)|['’]s)(?:\s+actually)?|而是|(?:では|じゃ)なくて?)[,:、]?${marks}(?=[-−+]?[$€£¥]?\d)`,
  'iu',
);

/** What an answer says last of its number is that it is another one: where it says so, and which. */
function deniedAnswer(text: string): { readonly instead: Extraction | undefined } | undefined {
  if (!/not|n['’]t|不|并非|では|じゃ/i.test(text)) return undefined;
  const folded = foldWidth(text);
  const denied = [...folded.matchAll(denial)].at(-1);
  if (!denied || [...folded.matchAll(statement)].some(({ index }) => index > denied.index))
    return undefined;
  const from = denied.index + denied[0].length;
  const corrected = correction.exec(folded.slice(from));
  if (!corrected) return { instead: undefined };
  const start = from + corrected.index + corrected[0].length;
  const number = firstAmount.extract(text.slice(start));
  return {
    instead: number && { ...number, start: start + number.start, end: start + number.end },
  };
}

/**
 * Looks for the number of an answer with `extract`, unless the answer says which number it is not:
 * then it is the one that it names instead, if any.
 *
 * @example
 * unlessDenied(resultNumber).extract('The answer is not 41 but 42, by rule 3.')?.value; // '42'
 */
export function unlessDenied({ name, extract }: Extractor): Extractor {
  return {
    name,
    extract(text) {
      const denied = deniedAnswer(text);
      return denied ? denied.instead : extract(text);
    },
  };
}

const measure =
  '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|decades?|mm|cm|m|km|(?:centi|milli|kilo)?met(?:er|re)s?|in|inch(?:es)?|ft|feet|foot|yards?|miles?|m?g|kg|(?:kilo|milli)?grams?|lbs?|pounds?|oz|ounces?|tons?|m?l|(?:milli)?lit(?:er|re)s?|gallons?|cups?|pints?|quarts?|cents?|dollars?|hundred|thousand|million|billion|trillion|dozen|秒|分|時間|日|週間?|[かヶ]月|小时|分钟|天|周|个月|年)';
const converted = new RegExp(
  String.raw`[^\S\n]?${measure}[^\S\n]?[(（](?<inner>[^()（）\n]{1,40})[)）]`,
  'iuy',
);
const measured = new RegExp(
  String.raw`^\s*(?:or|=|≈|about|i\.e\.,?|that is,?)?\s*[-−+]?[\d.,/ ]+\s*(?:${measure})?\s*$`,
  'iu',
);

/** The same amount in another unit, which stands in brackets after a number and its unit. */
function convertedAfter(text: string, end: number): Extraction | undefined {
  converted.lastIndex = end;
  const match = converted.exec(text);
  const inner = match?.groups?.inner ?? '';
  const number = measured.test(inner) ? firstNumber.extract(inner) : undefined;
  return number && { ...number, start: end, end: converted.lastIndex };
}

/** Where the brackets end in which a number is taken apart: `24 students (12 boys and 12 girls)`. */
function partsAfter(text: string, { value, end }: Extraction): number | undefined {
  const brackets = /(?:[^\S\n]\p{L}+){1,3}[^\S\n]?[(（](?<inner>[^()（）\n]{1,80})[)）]/uy;
  brackets.lastIndex = end;
  const parts = Array.from(readNumbers(brackets.exec(text)?.groups?.inner ?? ''), (part) =>
    Number(part.value),
  );
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.length > 1 && sum === Number(value) ? brackets.lastIndex : undefined;
}

/** The same, with what the number is in another unit: `7 days (1 week)` is `7 (1)`. */
function keepConverted({ name, extract }: Extractor): Extractor {
  return {
    name,
    extract(text) {
      const found = extract(text);
      const other = found && convertedAfter(text, found.end);
      if (!other) return found;
      return { value: `${found.value} (${other.value})`, start: found.start, end: other.end };
    },
  };
}

/**
 * The numbers that an amount stands for: one, or two where it is given in two units.
 *
 * @example
 * numbersOf('7 (1)'); // ['7', '1']
 */
export function numbersOf(amount: string): readonly string[] {
  const [, number, other] = /^(\S+) \((\S+)\)$/.exec(amount) ?? [];
  return number === undefined || other === undefined ? [amount] : [number, other];
}

/** Where an explanation begins below an answer of one line; else the end. */
function startOfExplanation(text: string): number {
  const lineEnd = text.indexOf('\n', text.search(/\S/));
  const heading =
    /^[*_#\s]{0,10}(?:explanation|reasoning|begründung|erklärung|解释|解析|解説|説明)\s?[*_]{0,2}[:：]/iu;
  const isExplained = lineEnd >= 0 && heading.test(text.slice(lineEnd).trimStart());
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
    const remarks = [...spansOf(text, remark), ...spansOf(text, remarkOnNoun)];
    const explained = startOfExplanation(text);
    let last: Extraction | undefined;
    let settledTo = 0;
    for (const number of readNumbers(text)) {
      if (last && (number.start > explained || isCounter(text, number))) continue;
      if (number.start < settledTo || isDeniedNumber(text, number)) continue;
      if (remarks.some(({ start, end }) => number.start >= start && number.end <= end)) continue;
      last = number;
      settledTo =
        convertedAfter(text, number.end)?.end ??
        partsAfter(text, number) ??
        endOfSpelled(text, number.end);
    }
    return last;
  },
};

/** The last number of an answer, with its percent sign and with what it is in another unit. */
export const lastAmount = keepConverted(keepPercent(resultNumber));
const statedAmount = keepConverted(firstAmount);

const afterSign = afterMarker(['=']);

/** What follows the last equals sign that is no part of a remark: `24 (= 12 × 2)` has none. */
const afterEquals: Extractor = {
  name: afterSign.name,
  extract: (text) => afterSign.extract(text.replace(remark, ({ length }) => ' '.repeat(length))),
};

/** Where the number of an answer is looked for, in this order. */
export const answerNumber = untilNextQuestion(
  settledNumbers([
    within(boxed, lastAmount),
    within(afterMarker(['####']), statedAmount),
    unlessDenied(within(answerLine, within(afterEquals, statedAmount))),
    unlessDenied(within(answerLine, statedAmount)),
    unlessRefused(unlessDenied(lastAmount)),
  ]),
);
