import { fail } from './failure.ts';
import type { Value } from './library.ts';
import { compare } from './operators.ts';
import { floatText, toText } from './print.ts';
import {
  asString,
  isList,
  isMissing,
  isText,
  optionalInteger,
  Sequence,
  takes,
  toValue,
  truthy,
  typeName,
} from './values.ts';

interface JsonStyle {
  readonly ensureAscii: boolean;
  /** What one level is indented by; undefined keeps everything on one line. */
  readonly indent: string | undefined;
  readonly separators: readonly string[];
  readonly sortKeys: boolean;
}

/** The `tojson` filter of chat templates: Python's `json.dumps` without ASCII escapes. */
export const tojson = takes(
  ['ensure_ascii?', 'indent?', 'separators?', 'sort_keys?'],
  (self, [ensureAscii, indent, separators, sortKeys]) => {
    const isIndented = !isMissing(indent);
    const margin = isText(indent)
      ? indent.value
      : ' '.repeat(Math.max(0, optionalInteger(indent) ?? 0));
    return toJson(self, {
      ensureAscii: truthy(ensureAscii),
      indent: isIndented ? margin : undefined,
      separators: isList(separators)
        ? separators.value.map(asString)
        : [isIndented ? ',' : ', ', ': '],
      sortKeys: truthy(sortKeys),
    });
  },
);

function toJson(value: Value, style: JsonStyle, line = '\n'): string {
  const innerLine = line + (style.indent ?? '');
  switch (value.type) {
    case 'NullValue':
      return 'null';
    case 'BooleanValue':
    case 'IntegerValue':
      return String(value.value);
    case 'FloatValue':
      return jsonFloat(value.value);
    case 'StringValue':
      return jsonString(value.value, style);
    case 'TupleValue':
    case 'ArrayValue': {
      if (value instanceof Sequence) break;
      const items = value.value.map((item) => toJson(item, style, innerLine));
      return `[${wrap(items, { style, line, innerLine })}]`;
    }
    case 'ObjectValue': {
      const entries = [...value.value].map(([key, item]) => ({ key: toValue(key), item }));
      if (style.sortKeys) entries.sort((left, right) => compare(left.key, right.key));
      const pairs = entries.map(
        ({ key, item }) =>
          jsonString(jsonKey(key), style) + style.separators[1] + toJson(item, style, innerLine),
      );
      return `{${wrap(pairs, { style, line, innerLine })}}`;
    }
    default:
  }
  return fail(`a value of type ${typeName(value)} cannot be written as JSON`);
}

function wrap(
  items: readonly string[],
  { style, line, innerLine }: { style: JsonStyle; line: string; innerLine: string },
): string {
  const [separator = ''] = style.separators;
  if (style.indent === undefined || items.length === 0) return items.join(separator);
  return innerLine + items.join(separator + innerLine) + line;
}

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return floatText(value);
}

function jsonKey(key: Value): string {
  return key.type === 'NullValue' || key.type === 'BooleanValue'
    ? String(key.value)
    : toText(key).value;
}

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

function jsonString(content: string, style: JsonStyle): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
  const special = style.ensureAscii ? /["\\]|[^ -~]/g : /["\\\x00-\x1f]/g;
  const body = content.replace(
    special,
    (unit) => short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${body}"`;
}
