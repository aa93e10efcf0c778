import { buildFloat, buildInteger, buildMapping } from './build-mapping.ts';

/** A value with its position in the text, and the members of objects and lists with theirs. */
export interface JsonNode {
  readonly start: number;
  readonly value: unknown;
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly key: string | number;
  readonly keyStart: number;
  readonly node: JsonNode;
}

/** What is wrong with a JSON text, and where. */
export class JsonProblem extends Error {
  readonly offset: number;
  /** The key, where the problem is that it is written twice. */
  readonly duplicateKey: string | undefined;

  constructor(message: string, offset: number, duplicateKey?: string) {
    super(message);
    this.offset = offset;
    this.duplicateKey = duplicateKey;
  }
}

/** Lists and mappings may be so many levels deep: what walks through values does so by recursion. */
export const maxNesting = 200;

/** What is said of values that are deeper. */
export const tooDeep = `lists and mappings are nested more than ${maxNesting} levels deep`;

/** Whether a value has lists and mappings within each other so many levels deep, and more. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}

/**
 * Reads JSON with the position of every value, the order of its keys, and floats as written. A key
 * that an object has twice is a problem.
 */
export function readJson(text: string): JsonNode {
  return new JsonReader(text).readDocument();
}

const blank = /[ \t\n\r]*/y;
const numberToken = /-?(?:0|[1-9]\d*)(?<float>(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const stringToken =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings may not hold them as they are
  /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const anyString = /"(?:[^"\\]|\\.)*"/sy;
const words = { true: true, false: false, null: null };

class JsonReader {
  readonly #text: string;
  #offset = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): JsonNode {
    const node = this.#readValue();
    this.#skipBlank();
    if (this.#offset < this.#text.length) throw this.#unexpected('the end of the file');
    return node;
  }

  #readValue(): JsonNode {
    this.#skipBlank();
    const start = this.#offset;
    if (this.#accept('{')) return this.#nested(start, () => this.#readObject(start));
    if (this.#accept('[')) return this.#nested(start, () => this.#readArray(start));
    const string = this.#match(stringToken)?.[0];
    if (string !== undefined) return leaf(start, JSON.parse(string));
    const number = this.#match(numberToken);
    if (number) return leaf(start, readNumber(number[0], number.groups?.float !== ''));
    for (const [word, value] of Object.entries(words)) {
      if (this.#accept(word)) return leaf(start, value);
    }
    throw this.#badString() ?? this.#unexpected('a value');
  }

  #nested(start: number, read: () => JsonNode): JsonNode {
    this.#depth += 1;
    if (this.#depth > maxNesting) throw new JsonProblem(tooDeep, start);
    const node = read();
    this.#depth -= 1;
    return node;
  }

  #readObject(start: number): JsonNode {
    const members: JsonMember[] = [];
    const keys = new Set<string>();
    this.#skipBlank();
    if (this.#accept('}')) return leaf(start, buildMapping([]));
    do {
      this.#skipBlank();
      const keyStart = this.#offset;
      const token = this.#match(stringToken)?.[0];
      if (token === undefined) {
        throw this.#badString() ?? this.#unexpected('a key in double quotes');
      }
      const key: string = JSON.parse(token);
      if (keys.has(key)) {
        throw new JsonProblem(
          `the key \`${key}\` is written twice in the same object`,
          keyStart,
          key,
        );
      }
      keys.add(key);
      this.#expect(':');
      members.push({ key, keyStart, node: this.#readValue() });
    } while (this.#continues('}'));
    const value = buildMapping(members.map(({ key, node }) => [key, node.value]));
    return { start, value, members };
  }

  #readArray(start: number): JsonNode {
    const members: JsonMember[] = [];
    this.#skipBlank();
    if (this.#accept(']')) return leaf(start, []);
    do {
      const node = this.#readValue();
      members.push({ key: members.length, keyStart: node.start, node });
    } while (this.#continues(']'));
    return { start, value: members.map(({ node }) => node.value), members };
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
    if (!this.#text.startsWith(text, this.#offset)) return false;
    this.#offset += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text);
    if (match) this.#offset = pattern.lastIndex;
    return match;
  }

  #skipBlank(): void {
    this.#match(blank);
  }

  /** What is wrong with the text in quotes here, if there is one. */
  #badString(): JsonProblem | undefined {
    const start = this.#offset;
    if (this.#text[start] !== '"') return undefined;
    const problem = this.#match(anyString)
      ? 'the text has a line break, control character or escape that JSON does not allow'
      : 'the text has no closing quote';
    return new JsonProblem(problem, start);
  }

  #unexpected(expected: string): JsonProblem {
    const [character] = this.#text.slice(this.#offset);
    const found = character === undefined ? 'the end of the file' : `\`${character}\``;
    return new JsonProblem(`expected ${expected}, found ${found}`, this.#offset);
  }
}

function readNumber(text: string, isFloat: boolean): unknown {
  return isFloat ? buildFloat(Number(text)) : buildInteger(BigInt(text));
}

function leaf(start: number, value: unknown): JsonNode {
  return { start, value, members: [] };
}
