import type { ConfigPath } from '../errors.ts';
import { fieldNode, type Node, shotsNode, textNode } from './node.ts';
import type { TemplatePosition } from './origin.ts';

/** What counts as a placeholder in a template string. */
export interface Tokens {
  readonly iceToken?: string | undefined;
  readonly sepToken?: string | undefined;
  /** Legacy: column name to the token that stands for it; `{column}` is then plain text. */
  readonly columnTokens?: ReadonlyMap<string, string> | undefined;
  /** False for raw messages whose text is not to be filled in. */
  readonly fields?: boolean;
  /** Turns may show media. */
  readonly media?: boolean;
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly node: Node;
}

const placeholder = /\{([^{}]*)\}/g;

/**
 * Cuts a template string into literal text, fields, example and separator marks in one pass.
 *
 * @example
 * scan('Q: {q}', { path: ['template'], start: 0 }, {}) // text 'Q: ', field q
 */
export function scan(text: string, path: ConfigPath, tokens: Tokens): Node[] {
  const nodes: Node[] = [];
  let position = 0;
  for (const match of nextMatches(text, path, tokens)) {
    if (match.start < position) continue;
    if (match.start > position) nodes.push(literal(text, path, position, match.start));
    nodes.push(match.node);
    position = match.end;
  }
  if (position < text.length) nodes.push(literal(text, path, position, text.length));
  return nodes;
}

function literal(text: string, path: ConfigPath, start: number, end: number): Node {
  return textNode(text.slice(start, end), { type: 'literal', at: { path, start } });
}

function nextMatches(text: string, path: ConfigPath, tokens: Tokens): Match[] {
  const matches: Match[] = [];
  const addToken = (token: string, make: (at: TemplatePosition) => Node) => {
    for (let start = text.indexOf(token); start >= 0; start = text.indexOf(token, start + 1)) {
      matches.push({ start, end: start + token.length, node: make({ path, start }) });
    }
  };
  if (tokens.iceToken) addToken(tokens.iceToken, () => shotsNode);
  if (tokens.sepToken) {
    addToken(tokens.sepToken, () => textNode('', { type: 'separator', name: 'sep_token' }));
  }
  if (tokens.columnTokens) {
    for (const [column, token] of tokens.columnTokens) {
      addToken(token, (at) => fieldNode(column, token, at));
    }
  } else if (tokens.fields !== false) {
    for (const found of text.matchAll(placeholder)) {
      const start = found.index;
      const end = start + found[0].length;
      const node = fieldNode(found[1] ?? '', found[0], { path, start });
      matches.push({ start, end, node });
    }
  }
  // At one position the example and separator marks win, then the longest token.
  return matches.sort((a, b) => a.start - b.start || rank(a.node) - rank(b.node) || b.end - a.end);
}

function rank(node: Node): number {
  return node.type === 'field' ? 1 : 0;
}
