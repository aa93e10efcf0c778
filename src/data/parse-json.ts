import { Float } from '../prompt/index.ts';

export type JsonResult =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'error'; readonly problem: string; readonly offset: number };

/** Numbers that JavaScript would print otherwise than they are written. */
const inexactNumber = /[:,[\s]-?\d+(?:\.0+(?![\d])|\.?\d*[eE]|\d{15})/;

/**
 * Parses JSON so that numbers keep what they were: whole floats (`1.0`) become `Float`, integers
 * beyond 2^53 become bigint.
 */
export function parseJson(text: string): JsonResult {
  if (!inexactNumber.test(` ${text}`)) {
    try {
      return { type: 'value', value: JSON.parse(text) };
    } catch {
      // The careful parser below finds the place.
    }
  }
  const parser = new JsonParser(text);
  try {
    return { type: 'value', value: parser.parseWhole() };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { type: 'error', problem: error.message, offset: parser.position };
  }
}

const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const literals: readonly [string, unknown][] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

class JsonParser {
  readonly #text: string;
  position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parseWhole(): unknown {
    const value = this.#parseValue();
    this.#skipSpace();
    if (this.position < this.#text.length) throw new SyntaxError('unexpected text after the value');
    return value;
  }

  #parseValue(): unknown {
    this.#skipSpace();
    const next = this.#text[this.position];
    if (next === '{') return this.#parseObject();
    if (next === '[') return this.#parseArray();
    if (next === '"') return this.#parseString();
    for (const [word, value] of literals) {
      if (!this.#text.startsWith(word, this.position)) continue;
      this.position += word.length;
      return value;
    }
    return this.#parseNumber();
  }

  #parseObject(): unknown {
    const entries: [string, unknown][] = [];
    this.position++;
    this.#skipSpace();
    if (this.#take('}')) return {};
    do {
      this.#skipSpace();
      const key = this.#parseString();
      this.#skipSpace();
      this.#expect(':');
      entries.push([key, this.#parseValue()]);
      this.#skipSpace();
    } while (this.#take(','));
    this.#expect('}');
    return Object.fromEntries(entries);
  }

  #parseArray(): unknown[] {
    const items: unknown[] = [];
    this.position++;
    this.#skipSpace();
    if (this.#take(']')) return items;
    do {
      items.push(this.#parseValue());
      this.#skipSpace();
    } while (this.#take(','));
    this.#expect(']');
    return items;
  }

  #parseString(): string {
    return JSON.parse(this.#match(string, 'a string').at(0) ?? '""');
  }

  #parseNumber(): unknown {
    const [written = '', fraction, exponent] = this.#match(number, 'a value');
    const value = Number(written);
    if (fraction === undefined && exponent === undefined) {
      return Number.isSafeInteger(value) ? value : BigInt(written);
    }
    return Number.isInteger(value) ? new Float(value) : value;
  }

  #match(pattern: RegExp, what: string): RegExpExecArray {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.#text);
    if (!match) throw new SyntaxError(`expected ${what} here`);
    this.position += match[0].length;
    return match;
  }

  #take(character: string): boolean {
    if (this.#text[this.position] !== character) return false;
    this.position++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw new SyntaxError(`expected \`${character}\` here`);
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#text[this.position] ?? '')) this.position++;
  }
}
