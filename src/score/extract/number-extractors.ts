import { readNumbers } from '../numbers/read-numbers.ts';
import { foldWidth } from '../text-matching.ts';
import { type Extraction, type Extractor, within } from './extractor.ts';
import { afterMarker, answerLine, boxed, untilNextQuestion } from './marked-answer.ts';

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
const statement = /answer is|answer:|(?:答え|正解)[は:]|答案[是:]/gi;
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

/**
 * The last number that is not denied and does not stand in a remark on another one: `80000 (2 steps)`
 * comes to 80000, `42, not 41` to 42. A remark is what stands in brackets after a number and a space, or after the number's currency.
 */
export const resultNumber: Extractor = {
  name: lastNumber.name,
  extract(text) {
    const remarks = Array.from(text.matchAll(remark), ({ 0: { length }, index }) => ({
      start: index,
      end: index + length,
    }));
    let last: Extraction | undefined;
    for (const number of readNumbers(text)) {
      if (isDeniedNumber(text, number)) continue;
      if (!remarks.some(({ start, end }) => number.start >= start && number.end <= end))
        last = number;
    }
    return last;
  },
};

const lastAmount = keepPercent(resultNumber);

/** Where the number of an answer is looked for, in this order. */
export const answerNumber = untilNextQuestion([
  within(boxed, lastAmount),
  within(afterMarker(['####']), firstAmount),
  unlessDenied(within(answerLine, within(afterMarker(['=']), firstAmount))),
  unlessDenied(within(answerLine, firstAmount)),
  unlessDenied(lastAmount),
]);
