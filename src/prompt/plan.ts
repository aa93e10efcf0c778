import type { ExpandNode, FieldNode, Node, PartsNode, ShotsNode } from './node.ts';

/** A compiled prompt: what is left to do is to fill in a row and its examples. */
export type Plan = TextPlan | MessagesPlan;

export interface TextPlan {
  readonly type: 'text';
  readonly lines: readonly Line[];
  readonly hasTokenIds: boolean;
}

export interface MessagesPlan {
  readonly type: 'messages';
  readonly entries: readonly MessageEntry[];
  /** Neighbours of one role become one message. Off for messages that are sent as written. */
  readonly merge: boolean;
  readonly hasMedia: boolean;
}

export type MessageEntry =
  | { readonly type: 'message'; readonly role: string; readonly lines: readonly Line[] }
  | { readonly type: 'shots' }
  | { readonly type: 'expand'; readonly node: ExpandNode };

/** Nodes that are printed together. `glue` goes before them if the line before printed anything. */
export interface Line {
  readonly nodes: readonly Node[];
  /** The same with neighbouring text joined, for filling without a trace. */
  readonly parts: readonly Part[];
  readonly glue: '' | '\n';
}

export type Part = string | FieldNode | ShotsNode | ExpandNode | PartsNode;

export function makeLine(nodes: readonly Node[], glue: Line['glue']): Line {
  const parts: Part[] = [];
  for (const node of nodes) {
    if (node.type !== 'text') {
      parts.push(node);
      continue;
    }
    const last = parts.at(-1);
    if (typeof last === 'string') parts[parts.length - 1] = last + node.span.text;
    else if (node.span.text !== '') parts.push(node.span.text);
  }
  return { nodes, parts, glue };
}

export function makeTextPlan(lines: readonly Line[]): TextPlan {
  const hasTokenIds = lines.some(({ nodes }) =>
    nodes.some((node) => node.type === 'text' && node.span.tokenIds !== undefined),
  );
  return { type: 'text', lines, hasTokenIds };
}

export function makeMessagesPlan(entries: readonly MessageEntry[], merge: boolean): MessagesPlan {
  const hasMedia = entries.some(
    (entry) =>
      entry.type === 'message' &&
      entry.lines.some(({ nodes }) => nodes.some((node) => node.type === 'parts')),
  );
  return { type: 'messages', entries, merge, hasMedia };
}
