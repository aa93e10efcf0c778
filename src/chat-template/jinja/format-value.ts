import { fail } from './failure.ts';
import { fixedDigits } from './fixed-digits.ts';
import type { TextValue, Value } from './library.ts';
import { repr, toText } from './print.ts';
import { joinTexts } from './text.ts';
import { lengthOf, numeric, text, typeName } from './values.ts';

/** How one value is to be written: the common part of `'%5.2f'` and `'{:>5.2f}'`. */
export interface Format {
  readonly fill: string;
  readonly align: '<' | '>' | '^' | '=';
  readonly sign: string;
  readonly grouped: boolean;
  readonly width: number;
  readonly precision: number | undefined;
  readonly conversion: string;
}

export function formatValue(value: Value, format: Format): TextValue {
  const { conversion, precision, align } = format;
  if (conversion === 's' || conversion === 'r') {
    const whole = conversion === 'r' ? text(repr(value)) : toText(value);
    if (precision === undefined) return pad(whole, format);
    return pad(text([...whole.value].slice(0, precision).join('')), format);
  }
  const number = numeric(value) ?? fail(`a number is needed here, not ${typeName(value)}`);
  const digits = formatDigits(Math.abs(number), { ...format, whole: value.type !== 'FloatValue' });
  const sign = number < 0 || Object.is(number, -0) ? '-' : format.sign;
  if (align !== '=') return pad(text(sign + digits), format);
  const zeros = Math.max(0, format.width - sign.length - digits.length);
  return text(sign + format.fill.repeat(zeros) + digits);
}

const radix: Readonly<Record<string, number>> = { x: 16, X: 16, o: 8, b: 2 };

function formatDigits(size: number, format: Format & { readonly whole: boolean }): string {
  const { conversion, precision = 6, grouped, whole } = format;
  const group = (digits: string) =>
    grouped ? digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : digits;
  if (conversion === 'd') return group(String(Math.trunc(size)));
  if (conversion === '%') return `${fixedDigits(size * 100, precision)}%`;
  if (conversion === 'f') {
    const [integer = '', fraction] = fixedDigits(size, precision).split('.');
    return fraction === undefined ? group(integer) : `${group(integer)}.${fraction}`;
  }
  const base = radix[conversion] ?? fail(`the conversion ${conversion} is not supported`);
  if (!whole) fail(`a whole number is needed for %${conversion}`);
  const digits = size.toString(base);
  return conversion === 'X' ? digits.toUpperCase() : digits;
}

function pad(value: TextValue, { width, fill, align }: Format): TextValue {
  const missing = width === 0 ? 0 : width - lengthOf(value);
  if (missing <= 0) return value;
  const left = align === '<' ? 0 : align === '^' ? Math.floor(missing / 2) : missing;
  return joinTexts([text(fill.repeat(left)), value, text(fill.repeat(missing - left))]);
}
