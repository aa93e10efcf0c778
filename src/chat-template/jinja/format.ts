import { fail } from './failure.ts';
import { type Format, formatValue } from './format-value.ts';
import type { Arguments, TextValue, Value } from './library.ts';
import { repr, toText } from './print.ts';
import { joinTexts } from './text.ts';
import { getItem, isDict, missing, numeric, text, toValue } from './values.ts';

const specifier = /%(?:\(([^)]*)\))?([-+ 0#]*)(\d*)(?:\.(\d+))?([\s\S])/g;

/** Python's `'…' % value`. */
export function formatPercent(template: TextValue, value: Value): TextValue {
  const values = value.type === 'TupleValue' ? [...value.value] : [value];
  let isUsed = isDict(value) || value.type === 'ArrayValue';
  const result = fill(template.value, specifier, (match) => {
    const [, key, flags = '', width, precision, conversion = ''] = match;
    if (conversion === '%') return text('%');
    let item: Value | undefined;
    if (key === undefined) item = values.shift();
    else item = isDict(value) ? value.value.get(key) : fail(`%(${key}) needs a mapping`);
    isUsed ||= values.length === 0;
    if (item === undefined) return fail('there are fewer values than places for them');
    return formatValue(item, percentFormat({ flags, width, precision, conversion }));
  });
  if (!isUsed && values.length > 0) fail('there are more values than places for them');
  return result;
}

/** Replaces each match, and keeps the origin of what it is replaced with. */
function fill(
  source: string,
  pattern: RegExp,
  write: (match: RegExpExecArray) => TextValue,
): TextValue {
  const pieces: TextValue[] = [];
  let position = 0;
  for (const match of source.matchAll(pattern)) {
    pieces.push(text(source.slice(position, match.index)), write(match));
    position = match.index + match[0].length;
  }
  return joinTexts([...pieces, text(source.slice(position))]);
}

function percentFormat(parts: {
  flags: string;
  width: string | undefined;
  precision: string | undefined;
  conversion: string;
}): Format {
  const { flags, width, precision, conversion } = parts;
  const isZero = flags.includes('0') && !flags.includes('-') && !'sr'.includes(conversion);
  return {
    fill: isZero ? '0' : ' ',
    align: flags.includes('-') ? '<' : isZero ? '=' : '>',
    sign: /[+ ]/.exec(flags)?.[0] ?? '',
    grouped: false,
    width: Number(width ?? 0),
    precision: precision === undefined ? undefined : Number(precision),
    conversion: 'iu'.includes(conversion) ? 'd' : conversion,
  };
}

const field = /\{\{|\}\}|\{([^{}!:]*)(?:!([rs]))?(?::([^{}]*))?\}|[{}]/g;
const specification = /^(?:([\s\S])?([<>^=]))?([-+ ])?(0)?(\d+)?(,)?(?:\.(\d+))?([a-zA-Z%])?$/u;

/** Python's `str.format`. */
export function formatBraces(template: TextValue, args: Arguments): TextValue {
  let automatic = 0;
  return fill(template.value, field, ([whole, path, conversion, format = '']) => {
    if (path === undefined) {
      return whole.length === 2 ? text(whole.charAt(0)) : fail(`a single ${whole} in a format`);
    }
    const value = lookUp(/^(\.|\[|$)/.test(path) ? `${automatic++}${path}` : path, args);
    if (conversion === 'r') return formatValue(text(repr(value)), braceFormat(format, text('')));
    const shown = conversion === 's' ? toText(value) : value;
    return formatValue(shown, braceFormat(format, shown));
  });
}

function lookUp(path: string, { positional, named }: Arguments): Value {
  const [name = '', ...keys] = path.split(/\.|\]?\[|\]/).filter((part) => part !== '');
  const value = /^\d+$/.test(name) ? positional[Number(name)] : named.get(name);
  if (value === undefined) return fail(`format has no argument ${name}`);
  return keys.reduce(
    (item, key) => getItem(item, toValue(/^\d+$/.test(key) ? Number(key) : key)) ?? missing,
    value,
  );
}

function braceFormat(format: string, value: Value): Format {
  const match = specification.exec(format);
  if (match === null) return fail(`the format ${format} is not supported`);
  const [, filler, align, sign, zero, width, grouped, precision, conversion] = match;
  const isNumber = numeric(value) !== undefined && value.type !== 'BooleanValue';
  const isFloat = value.type === 'FloatValue';
  const isBare = precision === undefined && grouped === undefined;
  let usual = 's';
  if (isNumber && !(isBare && isFloat)) usual = isFloat ? 'f' : 'd';
  const defaultAlign = isNumber ? (zero === undefined ? '>' : '=') : '<';
  return {
    fill: filler ?? (zero === undefined ? ' ' : '0'),
    align: (align ?? defaultAlign) as Format['align'],
    sign: sign === undefined || sign === '-' ? '' : sign,
    grouped: grouped !== undefined,
    width: Number(width ?? 0),
    precision: precision === undefined ? undefined : Number(precision),
    conversion: conversion ?? usual,
  };
}
