import { buildFloat, buildInteger, buildMapping } from './build-mapping.ts';
import { findKey, type ParsedSource, type Source, type SourceNode } from './source.ts';
import { offsetInEscaped } from './string-offset.ts';
import { duplicateKey, syntaxError } from './syntax-error.ts';

interface JsonNode extends SourceNode {
  readonly value: unknown;
}

interface JsonEntry {
  readonly key: string | number;
  readonly keyStart: number;
  readonly node: JsonNode;
}

/** Reads JSON with the place of every value, the order of its keys, and floats as written. */
export function parseJson(source: Source): ParsedSource {
  const node = new JsonReader(source).readDocument();
  return { value: node.value, root: () => node };
}

const blank = /[ \t\n\r]*/y;
const numberToken = /-?(?:0|[1-9]\d*)(?<float>(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const stringToken = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"/y;
const words = { true: true, false: false, null: null };

class JsonReader {
  readonly #source: Source;
  #offset = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  readDocument(): JsonNode {
    const node = this.#readValue();
    this.#skipBlank();
    if (this.#offset < this.#source.text.length) throw this.#unexpected('the end of the file');
    return node;
  }

  #readValue(): JsonNode {
    this.#skipBlank();
    const start = this.#offset;
    if (this.#accept('{')) return this.#readObject(start);
    if (this.#accept('[')) return this.#readArray(start);
    const string = this.#match(stringToken)?.[0];
    if (string !== undefined) return this.#stringNode(start, JSON.parse(string));
    const number = this.#match(numberToken);
    if (number) return leaf(start, readNumber(number[0], number.groups?.float !== ''));
    for (const [word, value] of Object.entries(words)) {
      if (this.#accept(word)) return leaf(start, value);
    }
    throw this.#unexpected('a value');
  }

  #readObject(start: number): JsonNode {
    const entries: JsonEntry[] = [];
    const keys = new Set<string>();
    this.#skipBlank();
    if (this.#accept('}')) return branch(start, buildMapping([]), entries);
    do {
      this.#skipBlank();
      const keyStart = this.#offset;
      const token = this.#match(stringToken)?.[0];
      if (token === undefined) throw this.#unexpected('a key in double quotes');
      const key: string = JSON.parse(token);
      if (keys.has(key)) throw duplicateKey(this.#source, key, keyStart);
      keys.add(key);
      this.#expect(':');
      entries.push({ key, keyStart, node: this.#readValue() });
    } while (this.#continues('}'));
    return branch(start, buildMapping(entries.map(({ key, node }) => [key, node.value])), entries);
  }

  #readArray(start: number): JsonNode {
    const entries: JsonEntry[] = [];
    this.#skipBlank();
    if (this.#accept(']')) return branch(start, [], entries);
    do {
      const node = this.#readValue();
      entries.push({ key: entries.length, keyStart: node.start, node });
    } while (this.#continues(']'));
    return branch(
      start,
      entries.map(({ node }) => node.value),
      entries,
    );
  }

  #stringNode(start: number, value: string): JsonNode {
    const { text } = this.#source;
    return {
      ...leaf(start, value),
      stringOffset: (index) => offsetInEscaped({ text, start: start + 1, value, index }),
    };
  }

  #continues(end: '}' | ']'): boolean {
    this.#skipBlank();
    if (this.#accept(',')) return true;
    if (this.#accept(end)) return false;
    throw this.#unexpected(`\`,\` or \`${end}\``);
  }

  #expect(mark: string): void {
    this.#skipBlank();
    if (!this.#accept(mark)) throw this.#unexpected(`\`${mark}\``);
  }

  #accept(text: string): boolean {
    if (!this.#source.text.startsWith(text, this.#offset)) return false;
    this.#offset += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#source.text);
    if (match) this.#offset = pattern.lastIndex;
    return match;
  }

  #skipBlank(): void {
    this.#match(blank);
  }

  #unexpected(expected: string): Error {
    const [character] = this.#source.text.slice(this.#offset);
    const found = character === undefined ? 'the end of the file' : `\`${character}\``;
    return syntaxError(this.#source, {
      offset: this.#offset,
      message: `expected ${expected}, found ${found}`,
      hint: 'JSON has no comments, single quotes or trailing commas; YAML and TypeScript do.',
    });
  }
}

function readNumber(text: string, isFloat: boolean): unknown {
  return isFloat ? buildFloat(Number(text)) : buildInteger(BigInt(text));
}

function leaf(start: number, value: unknown): JsonNode {
  return { start, value, child: () => undefined, stringOffset: () => undefined };
}

function branch(start: number, value: unknown, entries: readonly JsonEntry[]): JsonNode {
  return { ...leaf(start, value), child: (key) => findKey(entries, key) };
}
