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
