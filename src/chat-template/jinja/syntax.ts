import type { Stretch } from './lexer.ts';
import type { Token, TokenType } from './library.ts';

const opening: ReadonlySet<TokenType> = new Set([
  'OpenParen',
  'OpenSquareBracket',
  'OpenCurlyBracket',
]);
const literals: ReadonlySet<TokenType> = new Set(['StringLiteral', 'NumericLiteral', 'Identifier']);
/** Names after which a parenthesis opens no call. */
const words = new Set(['and', 'elif', 'else', 'if', 'in', 'is', 'not', 'or']);

/** The name of the pseudo-function that makes tuples the parser cannot read: `()` and `(x,)`. */
export const tupleFunction = '()';

/** Puts a template together as tokens of the library, in forms that its parser can read. */
export function toLibraryTokens(stretches: readonly Stretch[]): Token[] {
  return stretches.flatMap(({ type, text, tokens, offset }): Token[] => {
    const at = { offset, group: offset };
    if (type === 'text') return [{ ...at, type: 'Text', value: text }];
    if (type === 'statement') {
      const begin: Token = { ...at, type: 'OpenStatement', value: '{%' };
      return [begin, ...rewriteStatement(tokens), { ...at, type: 'CloseStatement', value: '%}' }];
    }
    const begin: Token = { ...at, type: 'OpenExpression', value: '{{' };
    return [begin, ...rewriteOutput(tokens), { ...at, type: 'CloseExpression', value: '}}' }];
  });
}

function rewriteOutput(tokens: readonly Token[]): readonly Token[] {
  const [first] = tokens;
  const isTuple = tokens.some((token) => token.type === 'Comma' && token.group === first?.group);
  return rewrite(first && isTuple ? parenthesize(first, tokens) : tokens);
}

/** Blocks that the parser does not know become `filter` blocks, which take any body. */
function rewriteStatement([keyword, ...rest]: readonly Token[]): readonly Token[] {
  if (keyword?.type !== 'Identifier') return keyword ? [keyword, ...rest] : [];
  const name = (value: string): Token => ({ ...keyword, value });
  switch (keyword.value) {
    case 'with':
      return [name('filter'), keyword, ...parenthesize(keyword, rewrite(rest))];
    case 'generation':
      return [name('filter'), keyword, ...rest];
    case 'endwith':
    case 'endgeneration':
      return [name('endfilter'), ...rest];
    case 'filter': {
      const chain: Token[] = [
        { ...keyword, type: 'StringLiteral', value: '' },
        { ...keyword, type: 'Pipe', value: '|' },
        ...rewrite(rest),
      ];
      return [keyword, ...parenthesize(keyword, chain)];
    }
    default:
      return rewrite([keyword, ...rest]);
  }
}

function parenthesize(at: Token, tokens: readonly Token[]): Token[] {
  return [
    { ...at, type: 'OpenParen', value: '(' },
    ...tokens,
    { ...at, type: 'CloseParen', value: ')' },
  ];
}

/** Tests become filters named `is …`; `not in` becomes one token; odd tuples become calls. */
function rewrite(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  let index = 0;
  while (index < tokens.length) {
    const token = tokens[index] as Token;
    const next = tokens[index + 1];
    const isAttribute = result.at(-1)?.type === 'Dot';
    if (isWord(token, 'is') && next && !isAttribute) {
      index = rewriteTest(tokens, { index: index + 1, result });
    } else if (isWord(token, 'not') && isWord(next, 'in') && !isAttribute) {
      result.push({ ...token, type: 'ComparisonBinaryOperator', value: 'not in' });
      index += 2;
    } else if (token.type === 'OpenParen') {
      const end = findClose(tokens, index);
      const inner = tokens.slice(index + 1, end);
      const close = tokens[end];
      const isCall = isCallable(result.at(-1));
      result.push(...(isCall ? [] : tupleName(token, inner)), token);
      result.push(...rewrite(isCall ? inner : withoutLastComma(inner)), ...(close ? [close] : []));
      index = end + 1;
    } else {
      result.push(token);
      index += 1;
    }
  }
  return result;
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.type === 'Identifier' && token.value === word;
}

function isCallable(before: Token | undefined): boolean {
  if (before?.type === 'Identifier') return !words.has(before.value);
  return before?.type === 'CloseParen' || before?.type === 'CloseSquareBracket';
}

function findClose(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let index = start; index < tokens.length; index += 1) {
    const { type } = tokens[index] as Token;
    if (opening.has(type)) depth += 1;
    else if (type.startsWith('Close')) depth -= 1;
    if (depth === 0) return index;
  }
  return tokens.length;
}

function tupleName(open: Token, inner: readonly Token[]): Token[] {
  const commas = inner.filter((token) => token.type === 'Comma' && token.group === open.offset);
  const isOdd = inner.length === 0 || (commas.length === 1 && inner.at(-1)?.type === 'Comma');
  return isOdd ? [{ ...open, type: 'Identifier', value: tupleFunction }] : [];
}

function withoutLastComma(tokens: readonly Token[]): readonly Token[] {
  return tokens.at(-1)?.type === 'Comma' ? tokens.slice(0, -1) : tokens;
}

/** Writes the test after `is` as a filter and gives the index of the token after it. */
function rewriteTest(
  tokens: readonly Token[],
  { index, result }: { index: number; result: Token[] },
): number {
  const isNegated = isWord(tokens[index], 'not') && literals.has(tokens[index + 1]?.type ?? 'Text');
  const at = isNegated ? index + 1 : index;
  const name = tokens[at] as Token;
  const value = `is ${isNegated ? 'not ' : ''}${name.value}`;
  result.push({ ...name, type: 'Pipe', value: '|' }, { ...name, value });
  const next = tokens[at + 1];
  if (!next || next.type === 'OpenParen') return at + 1;
  const isArgument = literals.has(next.type) || opening.has(next.type);
  if (!isArgument || ['and', 'else', 'or'].some((word) => isWord(next, word))) return at + 1;
  const end = operandEnd(tokens, at + 1);
  result.push(...parenthesize(next, rewrite(tokens.slice(at + 1, end))));
  return end;
}

/** The end of a literal, name or bracket with all that follows it directly: `.x`, `[…]`, `(…)`. */
function operandEnd(tokens: readonly Token[], start: number): number {
  const isString = tokens[start]?.type === 'StringLiteral';
  let end = findClose(tokens, start) + 1;
  while (isString && tokens[end]?.type === 'StringLiteral') end += 1;
  for (;;) {
    const type = tokens[end]?.type;
    if (type === 'Dot') end += 2;
    else if (type === 'OpenParen' || type === 'OpenSquareBracket') end = findClose(tokens, end) + 1;
    else return Math.min(end, tokens.length);
  }
}
