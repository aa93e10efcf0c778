import { readEscapes } from '../../python/string-literal.ts';
import { isBlank, pythonSpace, trailingSpace } from '../../python/text.ts';
import { syntaxFailure } from './failure.ts';
import type { Token, TokenType } from './library.ts';

/** A text, or a tag with the tokens between its marks. */
export interface Stretch {
  readonly type: 'text' | 'statement' | 'output';
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly offset: number;
}

const tagBegin = /\{[%{#]/g;
const rawBegin = new RegExp(
  `\\{%[-+]?[${pythonSpace}]*raw[${pythonSpace}]*(?:-%\\}[${pythonSpace}]*|%\\})`,
  'y',
);
/** Where tags end; `after` is what goes with the end of a block. */
const endsWith = (after: string) => ({
  raw: new RegExp(
    `\\{%([-+]?)[${pythonSpace}]*endraw[${pythonSpace}]*(?:\\+%\\}|-%\\}[${pythonSpace}]*|%\\}${after})`,
    'g',
  ),
  comment: new RegExp(`\\+#\\}|-#\\}[${pythonSpace}]*|#\\}${after}`, 'g'),
  statement: new RegExp(`\\+%\\}|-%\\}[${pythonSpace}]*|%\\}${after}`, 'y'),
  output: new RegExp(`-\\}\\}[${pythonSpace}]*|\\}\\}`, 'y'),
});
const trimmedEnds = endsWith('\\n?');
const plainEnds = endsWith('');

const part = new RegExp(
  [
    `(?<space>[${pythonSpace}]+)`,
    '(?<float>(?<!\\.)\\d[\\d_]*(?:\\.\\d[\\d_]*(?:[eE][+-]?\\d+)?|[eE][+-]?\\d+))',
    '(?<integer>0[bB][01_]+|0[oO][0-7_]+|0[xX][\\da-fA-F_]+|\\d[\\d_]*)',
    '(?<name>[\\p{L}\\p{N}\\p{M}_]+)',
    `(?<string>'(?:[^'\\\\]|\\\\[\\s\\S])*'|"(?:[^"\\\\]|\\\\[\\s\\S])*")`,
    '(?<operator>\\*\\*|\\/\\/|[=!<>]=|[-+*/%~()[\\]{}<>=.:|,])',
  ].join('|'),
  'uy',
);

const operators: Readonly<Record<string, TokenType>> = {
  '(': 'OpenParen',
  ')': 'CloseParen',
  '[': 'OpenSquareBracket',
  ']': 'CloseSquareBracket',
  '{': 'OpenCurlyBracket',
  '}': 'CloseCurlyBracket',
  ',': 'Comma',
  '.': 'Dot',
  ':': 'Colon',
  '|': 'Pipe',
  '=': 'Equals',
  '+': 'AdditiveBinaryOperator',
  '-': 'AdditiveBinaryOperator',
  '~': 'AdditiveBinaryOperator',
  '*': 'MultiplicativeBinaryOperator',
  '/': 'MultiplicativeBinaryOperator',
  '//': 'MultiplicativeBinaryOperator',
  '%': 'MultiplicativeBinaryOperator',
  '**': 'ExponentiationBinaryOperator',
};
/** Python's parser has the same bound. */
const maxBrackets = 200;
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Line ends become `\n` and one line end at the end of the template is dropped. */
export function normalizeSource(source: string): string {
  return source.replace(/\r\n?/g, '\n').replace(/\n$/, '');
}

/**
 * Splits a template into texts and tags, by Jinja's rules for `raw`, comments and white space. The
 * library's own tokenizer knows no `raw`, `{%+`, escapes such as `\x41` or offsets.
 */
export class Lexer {
  readonly #source: string;
  readonly #trimsBlocks: boolean;
  readonly #ends: typeof trimmedEnds;
  readonly #stretches: Stretch[] = [];
  #position = 0;
  #atLineStart = true;

  /** `trimsBlocks`: white space before a block on its line, and the line end after it, are dropped. */
  constructor(source: string, { trimsBlocks }: { readonly trimsBlocks: boolean }) {
    this.#source = source;
    this.#trimsBlocks = trimsBlocks;
    this.#ends = trimsBlocks ? trimmedEnds : plainEnds;
  }

  run(): readonly Stretch[] {
    while (this.#position < this.#source.length) this.#readStretch();
    return this.#stretches;
  }

  #readStretch(): void {
    tagBegin.lastIndex = this.#position;
    const begin = tagBegin.exec(this.#source);
    if (begin === null) {
      this.#readText(this.#source.length, '+');
      return;
    }
    const isOutput = begin[0] === '{{';
    const sign = this.#source.charAt(begin.index + 2);
    this.#readText(begin.index, isOutput && sign !== '-' ? '+' : sign);
    if (begin[0] === '{#') {
      this.#position += 2;
      this.#close('comment', begin.index);
    } else if (this.#match(rawBegin)) {
      const end = this.#find('raw', begin.index);
      this.#readText(end.index, end[1] ?? '');
      this.#close('raw', begin.index);
    } else this.#readTag(isOutput ? 'output' : 'statement');
  }

  /** Reads up to a tag whose sign says what happens to the white space before it. */
  #readText(end: number, sign: string): void {
    const offset = this.#position;
    let text = this.#source.slice(offset, end);
    const lineStart = text.lastIndexOf('\n') + 1;
    const startsLine = lineStart > 0 || this.#atLineStart;
    if (sign === '-') text = text.slice(0, trailingSpace(text));
    else if (this.#trimsBlocks && sign !== '+' && startsLine && isBlank(text.slice(lineStart))) {
      text = text.slice(0, lineStart);
    }
    if (text !== '') this.#stretches.push({ type: 'text', text, tokens: [], offset });
    this.#position = end;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#source);
    if (match) {
      this.#position = match.index + match[0].length;
      this.#atLineStart = match[0].endsWith('\n');
    }
    return match;
  }

  #find(kind: 'raw' | 'comment', from: number): RegExpExecArray {
    this.#ends[kind].lastIndex = this.#position;
    const match = this.#ends[kind].exec(this.#source);
    if (match) return match;
    const mark = kind === 'raw' ? 'endraw' : '#}';
    throw syntaxFailure(from, `this ${kind} is never closed with ${mark}`);
  }

  #close(kind: 'raw' | 'comment', from: number): void {
    this.#position = this.#find(kind, from).index;
    this.#match(this.#ends[kind]);
  }

  #readTag(type: 'statement' | 'output'): void {
    const from = this.#position;
    const tokens: Token[] = [];
    const open: { offset: number; closer: string }[] = [];
    this.#position += '-+'.includes(this.#source[from + 2] ?? ' ') ? 3 : 2;
    while (this.#position < this.#source.length) {
      if (open.length === 0 && this.#match(this.#ends[type])) {
        this.#stretches.push({ type, text: '', tokens, offset: from });
        return;
      }
      const offset = this.#position;
      const groups = this.#match(part)?.groups;
      if (!groups) throw syntaxFailure(offset, `unexpected character ${this.#source[offset]}`);
      const token = readToken(groups, { offset, group: open.at(-1)?.offset ?? from });
      if (token) tokens.push(token);
      const closer = closers[groups.operator ?? ''];
      if (closer) open.push({ offset, closer });
      if (open.length > maxBrackets)
        throw syntaxFailure(offset, `brackets nest deeper than ${maxBrackets}`);
      if (!closer && token?.type.startsWith('Close') && open.pop()?.closer !== token.value) {
        throw syntaxFailure(offset, `unexpected ${token.value}`);
      }
    }
    const mark = open.at(-1)?.closer ?? (type === 'statement' ? '%}' : '}}');
    throw syntaxFailure(from, `this tag is never closed with ${mark}`);
  }
}

function readToken(
  { float, integer, name, string, operator }: Record<string, string | undefined>,
  position: { offset: number; group: number },
): Token | undefined {
  if (name !== undefined) return { ...position, type: 'Identifier', value: name };
  if (operator !== undefined) {
    return {
      ...position,
      type: operators[operator] ?? 'ComparisonBinaryOperator',
      value: operator,
    };
  }
  if (string !== undefined) {
    const value = readEscapes(string.slice(1, -1), (written) => {
      const message = `the escape ${written} in this string is not the name of a character`;
      throw syntaxFailure(position.offset, message);
    });
    return { ...position, type: 'StringLiteral', value };
  }
  // The parser takes a number for a float when it has a point.
  if (float !== undefined) {
    const digits = float.replaceAll('_', '');
    const value = digits.includes('.') ? digits : digits.replace(/e/i, '.0e');
    return { ...position, type: 'NumericLiteral', value };
  }
  if (integer === undefined) return undefined;
  const value = Number(integer.replaceAll('_', ''));
  if (!Number.isSafeInteger(value)) throw syntaxFailure(position.offset, `${integer} is too big`);
  return { ...position, type: 'NumericLiteral', value: String(value) };
}
