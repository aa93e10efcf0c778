import { Float } from '../../src/prompt/values.ts';
import { PyDict, PyTuple, type PyValue } from '../../src/python/values.ts';
import { parseFloatText } from './codec.ts';

const words: Readonly<Record<string, PyValue>> = { True: true, False: false, None: null };

const token = /\s*([[\](){},:]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[-+.\w]+)/suy;

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Reads a value from its Python source text: literals, `nan` and `inf`. */
export function parsePythonLiteral(source: string): PyValue {
  const tokens = [...source.matchAll(new RegExp(token.source, 'gsu'))].map(
    (match) => match[1] ?? '',
  );
  let position = 0;
  const next = (): string => tokens[position++] ?? '';

  const readItems = (close: string): PyValue[] => {
    const items: PyValue[] = [];
    while (tokens[position] !== close) {
      items.push(readValue());
      if (tokens[position] === ',') position++;
    }
    position++;
    return items;
  };

  const readDict = (): PyDict => {
    const entries: [PyValue, PyValue][] = [];
    while (tokens[position] !== '}') {
      const key = readValue();
      position++;
      entries.push([key, readValue()]);
      if (tokens[position] === ',') position++;
    }
    position++;
    return new PyDict(entries);
  };

  const readValue = (): PyValue => {
    const text = next();
    if (text === '[') return readItems(']');
    if (text === '{') return readDict();
    if (text === '(') return readParentheses();
    return readScalar(text);
  };

  const readParentheses = (): PyValue => {
    const start = position;
    const items = readItems(')');
    const isTuple = items.length !== 1 || tokens.slice(start, position).at(-2) === ',';
    return isTuple ? new PyTuple(items) : (items[0] ?? null);
  };

  return readValue();
}

function readScalar(text: string): PyValue {
  if (/^['"]/.test(text)) return unescapeText(text.slice(1, -1));
  const word = words[text];
  if (word !== undefined) return word;
  if (/^[-+]?\d+$/.test(text)) {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : BigInt(text);
  }
  return new Float(parseFloatText(text));
}

function unescapeText(text: string): string {
  return text.replace(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)/gsu, (_, escaped: string) =>
    escaped.length > 1
      ? String.fromCodePoint(Number.parseInt(escaped.slice(1), 16))
      : (escapes[escaped] ?? escaped),
  );
}
