import type { Extraction } from '../extract/extractor.ts';

// Plain spaces stand between groups of three digits where no further number follows, as in a list.
const spaced = String.raw`(?<!\d )[1-9]\d{0,2}(?: \d{3})+(?!\d| \d)(?:[.,]\d+)?(?![.,]\d)`;
// As in program code.
const underscored = String.raw`(?<![\w.,])[1-9]\d{0,2}(?:_\d{3})+(?:\.\d+)?(?![\w.,]*\w)`;
const joined = String.raw`\d+(?:(?:\{,\}|\\,|[,.'’\u00a0\u2009\u202f])\d+)*`;

/** Digits, and what may stand between groups of them. */
export const digitRun = new RegExp(`${underscored}|${spaced}|${joined}`, 'g');

const thousands = String.raw`[1-9]\d{0,2}(?:(\{,\}|\\,|[,'’_ \u00a0\u2009\u202f])\d{3})(?:\1\d{3})*`;
const pointDecimal = new RegExp(String.raw`^(?:\d+|${thousands})(?:\.\d+)?$`);
const commaDecimal = [
  /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/,
  /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/,
  /^[1-9]\d{0,2}(?:['’ \u00a0\u2009\u202f]\d{3})+,\d+$/,
  /^\d+,\d+$/,
];

/**
 * The numbers that a run of digits and separators stands for: one if the separators can be read as
 * those of thousands and decimals, else several in a list. `1.234` and `1,234` are read as in
 * English; a comma is a decimal sign where it cannot be that of thousands: `2,75`
 * is 2.75, unless it is a pair in brackets.
 */
export function splitDigits(run: string, isPair: boolean): Extraction[] {
  const whole = { start: 0, end: run.length };
  if (pointDecimal.test(run)) {
    return [{ value: shortenDecimal(run.replaceAll(/[^\d.]/g, '')), ...whole }];
  }
  if (!isPair && commaDecimal.some((pattern) => pattern.test(run))) {
    const value = run.replaceAll(/[^\d,]/g, '').replace(',', '.');
    return [{ value: shortenDecimal(value), ...whole }];
  }
  return Array.from(run.matchAll(/\d+(?:\.\d+)?/g), ({ 0: part, index }) => ({
    value: shortenDecimal(part),
    start: index,
    end: index + part.length,
  }));
}

/** Digits with at most one point, in their shortest form: `007.50` becomes `7.5`. */
export function shortenDecimal(text: string): string {
  const [whole = '', decimals = ''] = text.split('.');
  let end = decimals.length;
  while (decimals[end - 1] === '0') end -= 1;
  const units = whole.replace(/^0+(?=\d)/, '') || '0';
  return end === 0 ? units : `${units}.${decimals.slice(0, end)}`;
}

/** A finite number in full: no exponent, however large it is. */
export function decimalText(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
