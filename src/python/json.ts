import { Float } from '../prompt/values.ts';
import { CompatError, fail } from './compat-error.ts';
import { pyCompare } from './operators.ts';
import { pyStr, reprFloat } from './repr.ts';
import { plainText } from './traced-text.ts';
import { isText, listItems, PyDict, PyObject, PyTuple, type PyValue, typeName } from './values.ts';

/** The options of `json.dumps`. */
export interface JsonStyle {
  /** Whether everything outside ASCII is escaped, as it is if this is left out. */
  readonly ensureAscii?: boolean | undefined;
  /** What one level is indented by; without it everything stands on one line. */
  readonly indent?: string | undefined;
  /** What stands between items, and between a key and its value. */
  readonly separators?: readonly string[] | undefined;
  readonly sortKeys?: boolean | undefined;
  /** What stands for a value that JSON has no form for. */
  readonly textOf?: ((value: PyObject) => string | undefined) | undefined;
}

/** What `json.dumps(value)` gives. */
export function dumpJson(value: PyValue, style: JsonStyle = {}): string {
  return dumpValue(value, style, '\n');
}

function dumpValue(value: PyValue, style: JsonStyle, line: string): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (isText(value)) return dumpText(plainText(value), style);
  if (typeof value === 'number' && !Number.isInteger(value)) return dumpFloat(value);
  if (value instanceof Float) return dumpFloat(value.value);
  if (typeof value === 'number' || typeof value === 'bigint') return pyStr(value);
  const innerLine = line + (style.indent ?? '');
  if (value instanceof PyDict) {
    const entries = value.entries();
    if (style.sortKeys) entries.sort(([left], [right]) => pyCompare(left, right));
    const colon = style.separators?.[1] ?? ': ';
    const pairs = entries.map(
      ([key, item]) => dumpKey(key, style) + colon + dumpValue(item, style, innerLine),
    );
    return `{${wrap(pairs, style, line)}}`;
  }
  if (value instanceof PyObject) {
    const text = style.textOf?.(value);
    if (text !== undefined) return dumpText(text, style);
    return fail('TypeError', `a value of type ${typeName(value)} cannot be written as JSON`);
  }
  const items = value instanceof PyTuple ? value.items : listItems(value);
  const written = items.map((item) => dumpValue(item, style, innerLine));
  return `[${wrap(written, style, line)}]`;
}

function wrap(items: readonly string[], { indent, separators }: JsonStyle, line: string): string {
  const comma = separators?.[0] ?? (indent === undefined ? ', ' : ',');
  if (indent === undefined || items.length === 0) return items.join(comma);
  return line + indent + items.join(comma + line + indent) + line;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

function dumpText(text: string, { ensureAscii = true }: JsonStyle): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
  const special = ensureAscii ? /["\\]|[^ -~]/g : /["\\\x00-\x1f]/g;
  const body = text.replace(
    special,
    (unit) => shortEscapes[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${body}"`;
}

function dumpFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Infinity' : 'Infinity';
  return reprFloat(value);
}

function dumpKey(key: PyValue, style: JsonStyle): string {
  if (isText(key)) return dumpText(plainText(key), style);
  if (!(key instanceof PyTuple)) return `"${dumpValue(key, style, '')}"`;
  throw new CompatError({
    type: 'TypeError',
    message: `keys must be str, int, float, bool or None, not ${typeName(key)}`,
    what: 'a tuple is a key of a mapping that is written as JSON',
    hint: 'use a string as the key',
  });
}
