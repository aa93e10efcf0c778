import { readNumberWords } from '../numbers/read-number-words.ts';
import { readNumbers } from '../numbers/read-numbers.ts';
import { foldWidth } from '../text-matching.ts';
import { type Extraction, type Extractor, firstOf, within } from './extractor.ts';
import {
  afterMarker,
  answerLine,
  answerMarkers,
  answerTag,
  boxed,
  startsSolution,
  underHeading,
  untilNextQuestion,
} from './marked-answer.ts';
import { settledNumbers, unlessCutOff, unlessRefused } from './unsettled-number.ts';

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

/** What a unit is of the first one of its row; words of one row measure the same thing. */
const measures: readonly (readonly (readonly [words: string, size: number])[])[] = [
  [
    ['seconds?|secs?|秒', 1],
    ['minutes?|mins?|分钟?', 60],
    ['hours?|hrs?|時間|小时', 3_600],
    ['days?|日|天', 86_400],
    ['weeks?|週間?|周', 604_800],
    ['months?|[かヶ]月|个月', 2_629_800],
    ['years?|年', 31_557_600],
    ['decades?', 315_576_000],
  ],
  [
    ['mm', 0.001],
    ['cm|centimet(?:er|re)s?', 0.01],
    ['in|inch(?:es)?', 0.0254],
    ['ft|feet|foot', 0.3048],
    ['yards?', 0.9144],
    ['m|met(?:er|re)s?', 1],
    ['km|kilomet(?:er|re)s?', 1_000],
    ['miles?', 1_609.34],
  ],
  [
    ['mg|milligrams?', 0.001],
    ['g|grams?', 1],
    ['oz|ounces?', 28.35],
    ['lbs?|pounds?', 453.6],
    ['kg|kilograms?', 1_000],
    ['tons?', 1_000_000],
  ],
  [
    ['ml|millilit(?:er|re)s?', 0.001],
    ['cups?', 0.2366],
    ['pints?', 0.4732],
    ['quarts?', 0.9464],
    ['l|lit(?:er|re)s?', 1],
    ['gallons?', 3.785],
  ],
  [
    ['cents?', 0.01],
    ['dollars?', 1],
  ],
  [
    ['', 1],
    ['dozen', 12],
    ['hundred', 100],
    ['thousand', 1e3],
    ['million', 1e6],
    ['billion', 1e9],
    ['trillion', 1e12],
  ],
];
const measure = measures
  .flatMap((units) => units.flatMap(([words]) => (words === '' ? [] : [words])))
  .join('|');
const converted = new RegExp(
  String.raw`[^\S\n]?(?<outer>${measure})[^\S\n]?[(（](?<inner>[^()（）\n]{1,40})[)）]`,
  'iuy',
);
const measured = new RegExp(
  String.raw`^\s*(?:or|=|≈|about|i\.e\.,?|that is,?)?\s*[-−+$€£¥]*[\d.,/ ]+\s*(?<unit>${measure})?\s*$`,
  'iu',
);

const namedMeasures = measures.map((units) =>
  units.map(([words, size]) => ({ name: new RegExp(`^(?:${words})$`, 'iu'), size })),
);

/** How many of the second unit one of the first is; nothing where they measure different things. */
function unitsIn(unit: string, other: string): number | undefined {
  for (const units of namedMeasures) {
    const sizeOf = (written: string) => units.find(({ name }) => name.test(written))?.size;
    const [one, two] = [sizeOf(unit), sizeOf(other)];
    if (one !== undefined && two !== undefined) return one / two;
  }
  return undefined;
}

/** The same amount in another unit, which stands in brackets after a number and its unit. */
function convertedAfter(text: string, { value, end }: Extraction): Extraction | undefined {
  converted.lastIndex = end;
  const found = converted.exec(text)?.groups;
  if (!found) return undefined;
  const { outer = '', inner = '' } = found;
  const unit = measured.exec(inner);
  const number = unit ? firstNumber.extract(inner) : undefined;
  const factor = unitsIn(outer, unit?.groups?.unit ?? '');
  if (!number || factor === undefined) return undefined;
  const expected = Number(value) * factor;
  const isSame = Math.abs(Number(number.value) - expected) <= 0.05 * Math.abs(expected);
  return isSame ? { ...number, start: end, end: converted.lastIndex } : undefined;
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
function breakdownsIn(text: string) {
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

/** The same, with what the number is in another unit: `7 days (1 week)` is `7 (1)`. */
function keepConverted({ name, extract }: Extractor): Extractor {
  return {
    name,
    extract(text) {
      const found = extract(text);
      const other = found && convertedAfter(text, found);
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
