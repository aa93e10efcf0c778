import { Float } from '../prompt/values.ts';
import { isPrintable } from './printable.ts';
import { plainText } from './traced-text.ts';
import { isText, listItems, PyDict, PyObject, PyTuple, type PyValue } from './values.ts';

/** What `str(value)` gives in Python 3.11. */
export function pyStr(value: PyValue): string {
  return isText(value) ? plainText(value) : pyRepr(value);
}

/** What `repr(value)` gives in Python 3.11. */
export function pyRepr(value: PyValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') {
    return Number.isInteger(value) ? BigInt(value).toString() : reprFloat(value);
  }
  if (value instanceof Float) return reprFloat(value.value);
  if (isText(value)) return reprText(plainText(value));
  if (value instanceof PyDict) {
    const entries = value.entries().map(([key, item]) => `${pyRepr(key)}: ${pyRepr(item)}`);
    return `{${entries.join(', ')}}`;
  }
  if (value instanceof PyTuple) {
    const items = value.items.map(pyRepr).join(', ');
    return value.items.length === 1 ? `(${items},)` : `(${items})`;
  }
  if (value instanceof PyObject) return value.repr();
  return `[${listItems(value).map(pyRepr).join(', ')}]`;
}

export function reprFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (Object.is(value, -0)) return '-0.0';
  const [mantissa = '0', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    const sign = exponent < 0 ? '-' : '+';
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  const digits = mantissa.replace('-', '').replace('.', '');
  const sign = value < 0 ? '-' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\\', '\\\\'],
]);

function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\'"]|[^ -~]/gu, (character) => {
    if (character === "'" || character === '"') {
      return character === quote ? `\\${quote}` : character;
    }
    return (
      shortEscapes.get(character) ??
      (isPrintable(character.codePointAt(0) ?? 0) ? character : hexEscape(character))
    );
  });
  return quote + body + quote;
}

/** What `ascii(value)` gives: a `repr` in which everything outside ASCII is escaped. */
export function pyAscii(value: PyValue): string {
  return pyRepr(value).replace(/[^\0-\x7f]/gu, hexEscape);
}

function hexEscape(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
