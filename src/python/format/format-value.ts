import { Float } from '../../prompt/values.ts';
import { fail } from '../compat-error.ts';
import { pyStr } from '../repr.ts';
import { takeCharacters } from '../text.ts';
import { plainText } from '../traced-text.ts';
import { isText, numberOf, type PyValue, typeName } from '../values.ts';
import { alignNumber, pad } from './align.ts';
import { formatFloat } from './format-float.ts';
import { type FormatSpec, parseFormatSpec, parseTextSpec } from './format-spec.ts';

/** What `format(value, spec)` gives in Python 3.11. */
export function formatValue(value: PyValue, spec: string): string {
  if (spec === '') return pyStr(value);
  if (isText(value)) return formatText(plainText(value), parseTextSpec(spec));
  const number = numberOf(value);
  if (number === undefined) {
    return fail('TypeError', `a ${typeName(value)} takes no format such as \`${spec}\``);
  }
  return typeof number === 'number' && isFloat(value)
    ? formatFloat(number, parseFormatSpec(spec, { type: '', align: '>' }))
    : formatInteger(BigInt(number), parseFormatSpec(spec, { type: 'd', align: '>' }));
}

/** What `'%d' % value` and its like give: the specification is that of a field after `%`. */
export function formatPercentNumber(value: PyValue, spec: FormatSpec): string {
  const number = numberOf(value);
  if (number === undefined) {
    return fail('TypeError', `\`${spec.source}\` needs a number, not ${typeName(value)}`);
  }
  if (spec.type !== '' && 'eEfFgG'.includes(spec.type)) return formatFloat(Number(number), spec);
  const whole = typeof number === 'bigint' ? number : Math.trunc(number);
  if ('diu'.includes(spec.type)) {
    if (typeof whole === 'number' && !Number.isFinite(whole)) {
      fail('OverflowError', `\`${spec.source}\` cannot write ${pyStr(value)} as a whole number`);
    }
    return formatInteger(BigInt(whole), { ...spec, type: 'd', precision: undefined });
  }
  if (!'oxX'.includes(spec.type)) fail('ValueError', `\`${spec.source}\` is not a format`);
  if (isFloat(value)) fail('TypeError', `\`${spec.source}\` needs a whole number`);
  return formatInteger(BigInt(whole), { ...spec, precision: undefined });
}

function isFloat(value: PyValue): boolean {
  return value instanceof Float || (typeof value === 'number' && !Number.isInteger(value));
}

function formatText(text: string, spec: FormatSpec): string {
  return pad(takeCharacters(text, spec.precision ?? text.length), spec);
}

const bases: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16, d: 10, n: 10 };

function formatInteger(value: bigint, spec: FormatSpec): string {
  if ('eEfFgG%'.includes(spec.type)) return formatFloat(toFloat(value), spec);
  const base = bases[spec.type];
  if (base === undefined && spec.type !== 'c') {
    fail('ValueError', `a whole number has no format \`${spec.type}\``);
  }
  if (spec.precision !== undefined || spec.positiveZero) {
    fail('ValueError', `\`${spec.source}\` has parts that only floats can have`);
  }
  if (base === undefined) return formatCharacter(value, spec);
  const digits = (value < 0n ? -value : value).toString(base);
  const prefix = spec.alternate && base !== 10 ? `0${spec.type}` : '';
  return alignNumber(
    {
      isNegative: value < 0n,
      prefix,
      digits: spec.type === 'X' ? digits.toUpperCase() : digits,
      rest: '',
    },
    { ...spec, groupSize: base === 10 ? 3 : 4 },
  );
}

function formatCharacter(value: bigint, spec: FormatSpec): string {
  if (spec.sign !== '' || spec.alternate) {
    fail('ValueError', 'the format `c` takes no sign and no `#`');
  }
  if (value < 0n || value > 0x10ffffn) fail('OverflowError', `${value} is not a character`);
  const rest = String.fromCodePoint(Number(value));
  return alignNumber(
    { isNegative: false, prefix: '', digits: '', rest },
    { ...spec, groupSize: 3 },
  );
}

function toFloat(value: bigint): number {
  const float = Number(value);
  return Number.isFinite(float) ? float : fail('OverflowError', 'a whole number is too large');
}
