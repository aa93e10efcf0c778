import { Float } from '../prompt/values.ts';
import { readEscapes } from './string-literal.ts';
import { PyDict, PyTuple, type PyValue } from './values.ts';

/** Lists inside of lists go no deeper than Python's own parser lets them. */
const maxDepth = 90;

const space = /[ \t\f\r\n]*/y;
const number =
  /0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*)?\.\d[\d_]*(?:[eE][+-]?\d+)?|\d[\d_]*\.(?:[eE][+-]?\d+)?|\d[\d_]*[eE][+-]?\d+|\d[\d_]*/y;
const string =
  /([rRuU]?)(?:'''((?:[^\\]|\\[\s\S])*?)'''|"""((?:[^\\]|\\[\s\S])*?)"""|'((?:[^'\\\n]|\\[\s\S])*)'|"((?:[^"\\\n]|\\[\s\S])*)")/y;
const word = /True|False|None/y;

const words: Readonly<Record<string, PyValue>> = { True: true, False: false, None: null };

/** `ast.literal_eval` of a text; nothing where that fails. */
export function literalEval(text: string): { readonly value: PyValue } | undefined {
  try {
    return { value: new LiteralReader(text.replace(/^[ \t]+/, '')).readAll() };
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class NoLiteral extends Error {}

class LiteralReader {
  readonly #text: string;
  #position = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): PyValue {
    this.#skipSpace();
    const first = this.#readValue();
    const value = this.#peek() === ',' ? this.#readTuple(first, '') : first;
    this.#skipSpace();
    if (this.#position < this.#text.length) throw new NoLiteral();
    return value;
  }

  #readValue(): PyValue {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new NoLiteral();
    const value = this.#readInner();
    this.#depth -= 1;
    this.#skipSpace();
    return value;
  }

  #readInner(): PyValue {
    const mark = this.#text.charAt(this.#position);
    if (mark === '[') return this.#readItems(']');
    if (mark === '(') return this.#readParenthesis();
    if (mark === '{') return this.#readBraces();
    if (mark === '-' || mark === '+') return this.#readSigned(mark);
    const digits = this.#match(number)?.[0];
    if (digits !== undefined) return numberOf(digits);
    const named = this.#match(word)?.[0];
    if (named !== undefined) return words[named] ?? null;
    return this.#readStrings();
  }

  #readSigned(sign: '-' | '+'): PyValue {
    this.#position += 1;
    this.#skipSpace();
    const value = this.#readValue();
    if (value instanceof Float) return new Float(sign === '-' ? -value.value : value.value);
    if (typeof value !== 'number' && typeof value !== 'bigint') throw new NoLiteral();
    return sign === '-' ? -value : value;
  }

  #readStrings(): string {
    let text = '';
    let count = 0;
    for (let found = this.#match(string); found; found = this.#match(string)) {
      const [, prefix = '', ...bodies] = found;
      const body = bodies.find((one) => one !== undefined) ?? '';
      text += /r/i.test(prefix) ? body : readEscapes(body, refuse);
      count += 1;
      this.#skipSpace();
    }
    if (count === 0) throw new NoLiteral();
    return text;
  }

  #readItems(closer: string): PyValue[] {
    this.#take();
    const items: PyValue[] = [];
    while (this.#peek() !== closer) {
      items.push(this.#readValue());
      if (this.#peek() === ',') this.#take();
      else if (this.#peek() !== closer) throw new NoLiteral();
    }
    this.#take();
    return items;
  }

  #readParenthesis(): PyValue {
    this.#take();
    if (this.#peek() === ')') {
      this.#take();
      return new PyTuple([]);
    }
    const first = this.#readValue();
    if (this.#peek() === ',') return this.#readTuple(first, ')');
    if (this.#peek() !== ')') throw new NoLiteral();
    this.#take();
    return first;
  }

  #readTuple(first: PyValue, closer: string): PyTuple {
    const items = [first];
    while (this.#peek() === ',') {
      this.#take();
      if (this.#peek() === closer) break;
      items.push(this.#readValue());
    }
    if (this.#peek() !== closer) throw new NoLiteral();
    if (closer !== '') this.#take();
    return new PyTuple(items);
  }

  #readBraces(): PyValue {
    this.#take();
    const entries: [PyValue, PyValue][] = [];
    while (this.#peek() !== '}') {
      const key = this.#readValue();
      // A set is of no use to anybody here.
      if (this.#peek() !== ':') throw new NoLiteral();
      this.#take();
      entries.push([key, this.#readValue()]);
      if (this.#peek() === ',') this.#take();
      else if (this.#peek() !== '}') throw new NoLiteral();
    }
    this.#take();
    return new PyDict(entries);
  }

  #peek(): string {
    return this.#text.charAt(this.#position);
  }

  #take(): void {
    this.#position += 1;
    this.#skipSpace();
  }

  #skipSpace(): void {
    this.#match(space);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text);
    if (found) this.#position = pattern.lastIndex;
    return found;
  }
}

function refuse(): never {
  throw new NoLiteral();
}

function numberOf(digits: string): PyValue {
  const plain = digits.replaceAll('_', '');
  if (!/^0[xob]/i.test(plain) && /[.e]/i.test(plain)) return new Float(Number(plain));
  if (/^0\d/.test(plain) && /[1-9]/.test(plain)) throw new NoLiteral();
  const whole = Number(plain);
  return Number.isSafeInteger(whole) ? whole : BigInt(plain);
}
