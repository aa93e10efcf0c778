import { fail } from '../compat-error.ts';
import { reprFloat } from '../repr.ts';
import { alignNumber, checkWidth } from './align.ts';
import { roundToDecimals, roundToDigits } from './decimal-digits.ts';
import type { FormatSpec } from './format-spec.ts';

const defaultPrecision = 6;

/** What `format(value, spec)` gives for a float. */
export function formatFloat(value: number, spec: FormatSpec): string {
  if (spec.type !== '' && !'eEfFgGn%'.includes(spec.type)) {
    fail('ValueError', `a float has no format \`${spec.type}\``);
  }
  const scaled = spec.type === '%' ? value * 100 : value;
  const text = writeSize(Math.abs(scaled), spec);
  const isNegative = scaled < 0 || (Object.is(scaled, -0) && !Number.isNaN(scaled));
  const isZero = !/[1-9a-z]/i.test(text.replace(/e.*/i, ''));
  const [, digits = '', rest = ''] = /^(\d*)([\s\S]*)$/.exec(text) ?? [];
  return alignNumber(
    {
      isNegative: isNegative && !(spec.positiveZero && isZero),
      prefix: '',
      digits,
      rest: spec.type === '%' ? `${rest}%` : rest,
    },
    { ...spec, groupSize: 3 },
  );
}

/** A number of at least 0, without sign and padding. */
function writeSize(size: number, { type, precision, alternate }: FormatSpec): string {
  if (!Number.isFinite(size)) {
    const name = Number.isNaN(size) ? 'nan' : 'inf';
    return 'EFG'.includes(type) && type !== '' ? name.toUpperCase() : name;
  }
  if (type === '' && precision === undefined) {
    const text = reprFloat(size);
    return alternate && !text.includes('.') ? text.replace('e', '.e') : text;
  }
  const count = precision ?? defaultPrecision;
  checkWidth(count);
  switch (type) {
    case 'f':
    case 'F':
    case '%': {
      const { digits, point } = roundToDecimals(size, count);
      return withPoint(digits, { point, alternate });
    }
    case 'e':
    case 'E': {
      const { digits, point } = roundToDigits(size, count + 1);
      return withPoint(digits, { point: 1, alternate }) + exponentText(point - 1, type);
    }
    default:
      return writeGeneral(size, { type, count: Math.max(count, 1), alternate });
  }
}

/** The format `g`, or none with a precision, which always shows a decimal. */
function writeGeneral(
  size: number,
  { type, count, alternate }: { type: string; count: number; alternate: boolean },
): string {
  const hasDecimal = type === '';
  const rounded = roundToDigits(size, count);
  const digits = alternate ? rounded.digits : rounded.digits.replace(/(?<=.)0+$/, '');
  const { point } = rounded;
  if (point <= -4 || point > (hasDecimal ? count - 1 : count)) {
    const letter = type === 'G' ? 'E' : 'e';
    return withPoint(digits, { point: 1, alternate }) + exponentText(point - 1, letter);
  }
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  const whole = digits.padEnd(hasDecimal ? point + 1 : point, '0');
  return withPoint(whole, { point, alternate });
}

function withPoint(
  digits: string,
  { point, alternate }: { readonly point: number; readonly alternate: boolean },
): string {
  const fraction = digits.slice(point);
  return digits.slice(0, point) + (fraction !== '' || alternate ? `.${fraction}` : '');
}

function exponentText(exponent: number, letter: string): string {
  const sign = exponent < 0 ? '-' : '+';
  return `${letter}${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
