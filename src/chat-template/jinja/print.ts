import type { TextValue, Value } from './library.ts';
import { isText, Sequence, text, toValue } from './values.ts';

/** Python's `str()`; undefined prints as nothing. */
export function toText(value: Value): TextValue {
  if (isText(value)) return value;
  return text(value.type === 'UndefinedValue' ? '' : repr(value));
}

/** Python's `repr()`. */
export function repr(value: Value): string {
  switch (value.type) {
    case 'UndefinedValue':
      return 'Undefined';
    case 'NullValue':
      return 'None';
    case 'BooleanValue':
      return value.value ? 'True' : 'False';
    case 'StringValue':
      return quote(value.value);
    case 'IntegerValue':
      return String(value.value);
    case 'FloatValue':
      return floatText(value.value);
    case 'ArrayValue':
      return value instanceof Sequence ? sequenceText(value) : `[${reprAll(value.value)}]`;
    case 'TupleValue':
      return `(${reprAll(value.value)}${value.value.length === 1 ? ',' : ''})`;
    case 'ObjectValue':
    case 'KeywordArgumentsValue': {
      const pairs = [...value.value].map(([key, item]) => `${repr(toValue(key))}: ${repr(item)}`);
      return `{${pairs.join(', ')}}`;
    }
    default:
      return `<${value.type}>`;
  }
}

function reprAll(items: readonly Value[]): string {
  return items.map(repr).join(', ');
}

function sequenceText({ kind, value: items }: Sequence): string {
  if (kind !== 'range') return `${kind}([${reprAll(items)}])`;
  const numbers = items.map((item) => Number(item.value));
  const [first = 0, second = first + 1] = numbers;
  const step = second - first;
  const stop = (numbers.at(-1) ?? first - step) + step;
  return step === 1 ? `range(${first}, ${stop})` : `range(${first}, ${stop}, ${step})`;
}

/** Python's `repr` of a float: exponents below -4 and from 16 on, with a sign and two digits. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e16)) {
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const sign = exponent.startsWith('-') ? '-' : '+';
  return `${digits}e${sign}${exponent.replace(/^[-+]/, '').padStart(2, '0')}`;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function quote(content: string): string {
  const mark = content.includes("'") && !content.includes('"') ? '"' : "'";
  const body = content.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, (character) => {
    if (character === "'" || character === '"') {
      return character === mark ? `\\${character}` : character;
    }
    return escapes[character] ?? hexEscape(character);
  });
  return mark + body + mark;
}

function hexEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
