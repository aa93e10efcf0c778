import { Lexer, type Stretch } from '../src/chat-template/jinja/lexer.ts';
import type { Token } from '../src/chat-template/jinja/library.ts';

type Tokens = readonly Token[];

const words = ['omble', 'trizz', 'kazm', 'flurb', 'norb', 'skree'];
const keywords = new Set([
  ...[
    'if',
    'else',
    'elif',
    'endif',
    'for',
    'in',
    'endfor',
    'set',
    'endset',
    'not',
    'and',
    'or',
    'is',
  ],
  ...[
    'true',
    'false',
    'none',
    'True',
    'False',
    'None',
    'loop',
    'range',
    'namespace',
    'dict',
    'macro',
  ],
  ...['endmacro', 'filter', 'endfilter', 'raw', 'endraw', 'recursive', 'with', 'endwith', 'call'],
]);

/** How a column is used: what its values must be like. */
interface Use {
  kind: 'text' | 'number' | 'list' | 'mapping';
  /** What it is looked for in: its own values, or a column. */
  among?: readonly string[] | ((row: number) => readonly unknown[]) | undefined;
  readonly keys: Map<string, Use>;
}

/** Rows that have what templates read of them, as far as that can be told from the templates. */
export function madeUpRows(
  templates: readonly string[],
  columns: readonly string[],
  count: number,
): Record<string, unknown>[] {
  const uses = new Map<string, Use>(columns.map((column) => [column, newUse()]));
  for (const template of templates) noteUses(template, uses);
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries([...uses].map(([name, use]) => [name, madeUpValue(name, use, index)])),
  );
}

function newUse(): Use {
  return { kind: 'text', keys: new Map() };
}

function madeUpValue(name: string, { kind, keys, among }: Use, index: number): unknown {
  if (among) return (typeof among === 'function' ? among(index) : among)[0];
  switch (kind) {
    case 'number':
      return index % 2;
    case 'list':
      return keys.size > 0
        ? words.map((_, at) => mappingOf(keys, index + at))
        : words.map((word) => `${word} ${name} ${index}`);
    case 'mapping':
      return mappingOf(keys, index);
    default:
      return `${words[index % words.length]} ${name} ${index}`;
  }
}

function mappingOf(keys: ReadonlyMap<string, Use>, index: number): Record<string, unknown> {
  return Object.fromEntries([...keys].map(([key, use]) => [key, madeUpValue(key, use, index)]));
}

function noteUses(template: string, uses: Map<string, Use>): void {
  let stretches: readonly Stretch[];
  try {
    stretches = new Lexer(template, { trimsBlocks: false }).run();
  } catch {
    return;
  }
  const own = new Set<string>();
  for (const { tokens } of stretches) noteTag(tokens, uses, own);
}

function noteTag(tokens: Tokens, uses: Map<string, Use>, own: Set<string>): void {
  const [first] = tokens;
  const isSet = first?.value === 'set' || first?.value === 'for' || first?.value === 'macro';
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'Identifier' || keywords.has(token.value)) continue;
    const before = tokens[index - 1];
    const next = tokens[index + 1];
    if (before?.type === 'Dot' || before?.type === 'Pipe' || before?.value === 'is') continue;
    if (
      isSet &&
      tokens.slice(1, index).every(({ value, type }) => type !== 'Equals' && value !== 'in')
    )
      own.add(token.value);
    if (
      own.has(token.value) ||
      (next?.type === 'OpenParen' && before?.type !== 'OpenSquareBracket')
    )
      continue;
    if (next?.type === 'Equals') continue;
    const use = uses.get(token.value) ?? newUse();
    uses.set(token.value, use);
    follow(tokens, index, use);
    use.among ??= lookedForIn(tokens, index, uses);
  }
}

/** Of `['A', 'B'].index(column)` and `column.index(other)`: the list. */
function lookedForIn(tokens: Tokens, index: number, uses: ReadonlyMap<string, Use>): Use['among'] {
  const [close, dot, method, open] = tokens.slice(Math.max(0, index - 4), index);
  if (open?.type !== 'OpenParen' || method?.value !== 'index' || dot?.type !== 'Dot')
    return undefined;
  if (close?.type === 'CloseSquareBracket') {
    const start = tokens.findLastIndex(
      (token, at) => at < index - 4 && token.type === 'OpenSquareBracket',
    );
    const texts = tokens.slice(start, index).filter(({ type }) => type === 'StringLiteral');
    return texts.length > 0 ? texts.map(({ value }) => value) : undefined;
  }
  const path: string[] = [];
  for (let at = index - 4; at >= 0; at -= 2) {
    const token = tokens[at];
    if (token?.type !== 'Identifier') return undefined;
    path.unshift(token.value);
    if (tokens[at - 1]?.type !== 'Dot') break;
  }
  return (number) => {
    const [root = '', ...keys] = path;
    const use = uses.get(root);
    const value = use && madeUpValue(root, use, number);
    const found = keys.reduce<unknown>((item, key) => Object(item)[key], value);
    return Array.isArray(found) ? found : [];
  };
}

const listMethods = new Set(['index', 'append', 'count', 'values', 'keys', 'items']);
const textMethods = new Set([
  ...[
    'strip',
    'lower',
    'upper',
    'split',
    'replace',
    'startswith',
    'endswith',
    'rstrip',
    'lstrip',
    'title',
  ],
  ...['capitalize', 'format', 'find', 'join', 'rsplit', 'splitlines'],
]);

/** Notes what stands after a name: attributes, items, filters and operators. */
function follow(tokens: Tokens, start: number, use: Use): void {
  const before = tokens[start - 1];
  if (before?.type === 'Identifier' && before.value === 'in' && tokens[0]?.value === 'for')
    use.kind = 'list';
  const bracket = tokens.findIndex(({ offset }) => offset === tokens[start]?.group);
  const isIndex =
    tokens[bracket]?.type === 'OpenSquareBracket' &&
    isSubscript(tokens, bracket) &&
    (before?.type === 'OpenSquareBracket' || before?.type === 'Colon');
  if (isIndex) use.kind = 'number';
  let at = start + 1;
  let current = use;
  for (;;) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (token?.type === 'Dot' && next) {
      const isCall = tokens[at + 2]?.type === 'OpenParen';
      if (isCall && listMethods.has(next.value))
        current.kind = current.kind === 'mapping' ? 'mapping' : 'list';
      if (isCall && (listMethods.has(next.value) || textMethods.has(next.value))) return;
      current = inner(current, next.value);
      at += 2;
    } else if (token?.type === 'OpenSquareBracket' && next?.type === 'StringLiteral') {
      current = inner(current, next.value);
      at += 3;
    } else if (token?.type === 'OpenSquareBracket') {
      const isSlice = tokens.some(({ type, group }) => type === 'Colon' && group === token.offset);
      if (current.kind === 'text' && !isSlice) current.kind = 'list';
      if (next?.type !== 'NumericLiteral' || tokens[at + 2]?.type !== 'CloseSquareBracket') return;
      at += 3;
    } else {
      if (token?.type === 'Pipe' && ['int', 'abs', 'round'].includes(next?.value ?? ''))
        current.kind = 'number';
      if (
        token?.type === 'Pipe' &&
        ['join', 'list', 'map', 'first', 'last', 'sort', 'select'].includes(next?.value ?? '')
      )
        if (current.kind === 'text') current.kind = 'list';
      const operator = token?.value ?? '';
      if (['-', '*', '/', '//', '%', '<', '>', '<=', '>='].includes(operator))
        current.kind = 'number';
      if (operator === '+' && next?.type === 'NumericLiteral') current.kind = 'number';
      if (operator === '==' && next?.type === 'NumericLiteral') current.kind = 'number';
      return;
    }
  }
}

function isSubscript(tokens: Tokens, bracket: number): boolean {
  const before = tokens[bracket - 1];
  if (!before) return false;
  return (
    before.type === 'CloseSquareBracket' ||
    before.type === 'StringLiteral' ||
    before.type === 'Identifier'
  );
}

function inner(use: Use, key: string): Use {
  if (use.kind === 'text') use.kind = 'mapping';
  const known = use.keys.get(key) ?? newUse();
  use.keys.set(key, known);
  return known;
}
