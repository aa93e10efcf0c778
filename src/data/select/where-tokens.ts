import { DataError } from '../../errors.ts';

/** A word of a `where` expression. Columns of the text count from 1. */
export interface Token {
  readonly type: 'name' | 'column' | 'string' | 'number' | 'mark' | 'end';
  readonly text: string;
  readonly column: number;
}

const pattern =
  /\s*(?:(?<column>`[^`]+`)|(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<mark>==|!=|<=|>=|[<>~()[\],]))/uy;

/** Splits an expression into words. Column names in backticks and strings lose their quotes. */
export function readTokens(expression: string): Token[] {
  const tokens: Token[] = [];
  const end = expression.trimEnd().length;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < end) {
    const start = pattern.lastIndex;
    const match = pattern.exec(expression);
    if (match === null) throw unreadable(expression, start);
    const [type, text] = Object.entries(match.groups ?? {}).find(
      ([, value]) => value !== undefined,
    ) as [Token['type'], string];
    tokens.push({ type, text: unquote(type, text), column: pattern.lastIndex - text.length + 1 });
  }
  tokens.push({ type: 'end', text: 'the end', column: end + 1 });
  return tokens;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** Escapes that mean nothing here stay, so that `'\d'` can be a regular expression. */
function unquote(type: Token['type'], text: string): string {
  if (type === 'column') return text.slice(1, -1);
  if (type !== 'string') return text;
  return text.slice(1, -1).replace(/\\(.)/gs, (whole, character) => escapes[character] ?? whole);
}

function unreadable(expression: string, start: number): DataError {
  const rest = expression.slice(start);
  const column = start + rest.length - rest.trimStart().length + 1;
  const character = expression[column - 1] ?? '';
  const hints: Readonly<Record<string, string>> = {
    '=': 'Write == to compare.',
    '&': 'Write `and`.',
    '|': 'Write `or`.',
    '!': 'Write `not`, or != to compare.',
    "'": 'The string has no closing quote.',
    '"': 'The string has no closing quote.',
    '`': 'The column name has no closing backtick.',
  };
  return badWhere(`\`${character}\` is not allowed here`, {
    expression,
    column,
    hint: hints[character],
  });
}

interface WhereLocation {
  readonly expression: string;
  readonly column: number;
  readonly hint?: string | undefined;
}

export function badWhere(problem: string, { expression, column, hint }: WhereLocation): DataError {
  const message = `where \`${expression}\`, column ${column}: ${problem}`;
  return new DataError('data.bad_where', message, {
    hint: hint ?? "For example: level >= 3 and subject in ['law', 'history'].",
  });
}
