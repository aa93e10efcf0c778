import { readNumbers } from '../numbers/read-numbers.ts';
import type { Extraction, Extractor } from './extractor.ts';

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

/**
 * The last number that does not stand in a remark on another one: `80000 (2 steps)` comes to 80000.
 * A remark is what stands in brackets after a number and a space, or after the number's currency.
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
      if (!remarks.some(({ start, end }) => number.start >= start && number.end <= end))
        last = number;
    }
    return last;
  },
};
