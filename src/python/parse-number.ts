import { fail } from './compat-error.ts';
import { stripText } from './text.ts';

/** What `int(text)` gives. */
export function parseIntegerText(text: string): number {
  const digits = stripText(text);
  if (/^[+-]?\d+(?:_\d+)*$/.test(digits)) return Number(digits.replaceAll('_', ''));
  return fail('ValueError', `\`${text}\` is not a whole number`);
}

const floatPattern =
  /^[+-]?(?:(?:\d+(?:_\d+)*)?\.?(?:\d+(?:_\d+)*)?(?:e[+-]?\d+(?:_\d+)*)?|inf(?:inity)?|nan)$/i;

/** What `float(text)` gives. */
export function parseFloatText(text: string): number {
  return readFloatText(text) ?? fail('ValueError', `\`${text}\` is not a number`);
}

/** The same, or undefined where `float(text)` fails. */
export function readFloatText(text: string): number | undefined {
  const written = stripText(text).toLowerCase();
  if (!floatPattern.test(written) || !/\d|inf|nan/.test(written.replace(/e.*/, ''))) {
    return undefined;
  }
  if (written.endsWith('nan')) return Number.NaN;
  if (/inf/.test(written)) return written.startsWith('-') ? -Infinity : Infinity;
  return Number(written.replaceAll('_', ''));
}
