import { Float } from '../../prompt/values.ts';
import { fail } from '../failure.ts';
import { pyRepr, pyStr } from '../repr.ts';
import { type PyValue, typeName } from '../values.ts';
import { formatFloat } from './format-float.ts';
import { type FormatSpec, pad, parseFormatSpec } from './format-spec.ts';
import { placeNumber } from './place-number.ts';

/** What `format(value, spec)` gives in Python 3.11. */
export function formatValue(value: PyValue, spec: string): string {
  if (spec === '') return pyStr(value);
  if (typeof value === 'string') return formatText(value, spec);
  if (typeof value === 'boolean') return formatInteger(BigInt(value), spec);
  if (typeof value === 'bigint') return formatInteger(value, spec);
  if (value instanceof Float) return formatFloat(value.value, floatSpec(spec));
  if (typeof value === 'number') {
    return Number.isInteger(value)
      ? formatInteger(BigInt(value), spec)
      : formatFloat(value, floatSpec(spec));
  }
  return fail('TypeError', `a ${typeName(value)} takes no format such as \`${spec}\``);
}

/** What `ascii(value)` gives: a `repr` in which everything outside ASCII is escaped. */
export function pyAscii(value: PyValue): string {
  return pyRepr(value).replace(/[^\0-\x7f]/gu, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    if (hex.length <= 2) return `\\x${hex}`;
    return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  });
}

function floatSpec(spec: string): FormatSpec {
  return parseFormatSpec(spec, { type: '', align: '>' });
}

function formatText(text: string, specText: string): string {
  const spec = parseFormatSpec(specText, { type: 's', align: '<' });
  if (spec.type !== 's') fail('ValueError', `a text has no format \`${spec.type}\``);
  if (spec.sign !== '' || spec.positiveZero || spec.alternate || spec.align === '=') {
    fail('ValueError', `\`${specText}\` has parts that only numbers can have`);
  }
  const { precision } = spec;
  const isCut = precision !== undefined && precision < text.length;
  return pad(isCut ? [...text].slice(0, precision).join('') : text, spec);
}

const bases: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16, d: 10, n: 10 };

function formatInteger(value: bigint, specText: string): string {
  const spec = parseFormatSpec(specText, { type: 'd', align: '>' });
  if ('eEfFgG%'.includes(spec.type)) return formatFloat(toFloat(value), spec);
  const base = bases[spec.type];
  if (base === undefined && spec.type !== 'c') {
    fail('ValueError', `a whole number has no format \`${spec.type}\``);
  }
  if (spec.precision !== undefined || spec.positiveZero) {
    fail('ValueError', `\`${specText}\` has parts that only floats can have`);
  }
  if (base === undefined) return formatCharacter(value, spec);
  const digits = (value < 0n ? -value : value).toString(base);
  const prefix = spec.alternate && base !== 10 ? `0${spec.type}` : '';
  return placeNumber(
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
  if (value < 0n || value > 0x10ffffn) fail('OverflowError', `${value} is no character`);
  const rest = String.fromCodePoint(Number(value));
  return placeNumber(
    { isNegative: false, prefix: '', digits: '', rest },
    { ...spec, groupSize: 3 },
  );
}

function toFloat(value: bigint): number {
  const float = Number(value);
  return Number.isFinite(float) ? float : fail('OverflowError', 'a whole number is too large');
}
