import {
  type ExpandNode,
  type FieldNode,
  type Node,
  nodesOfPart,
  type PartsNode,
  type ShotsNode,
} from './node.ts';

/** A compiled prompt: what is left to do is to fill in a row and its examples. */
export type Plan = TextPlan | MessagesPlan;

export interface TextPlan {
  readonly type: 'text';
  readonly lines: readonly Line[];
  readonly hasTokenIds: boolean;
  /** What the answer begins with, whether that is sent or not. */
  readonly answerPrefix?: string | undefined;
}

export interface MessagesPlan {
  readonly type: 'messages';
  readonly entries: readonly MessageEntry[];
  /** Neighbours of one role become one message. Off for messages that are sent as written. */
  readonly merge: boolean;
  readonly hasMedia: boolean;
  /** The last message is the beginning of the answer. */
  readonly isOpen?: true | undefined;
  readonly answerPrefix?: string | undefined;
}

export type MessageEntry =
  | {
      readonly type: 'message';
      readonly role: string;
      readonly lines: readonly Line[];
      /** It is the beginning of the next message, if that is of the same role. */
      readonly isInside?: true | undefined;
    }
  | { readonly type: 'shots' }
  | { readonly type: 'expand'; readonly node: ExpandNode };

/** What stands between messages of one role that become one; undefined where they do not. */
export type Glue = '' | '\n' | undefined;

/** Nodes that are printed together. `glue` goes before them if the line before printed anything. */
export interface Line {
  readonly nodes: readonly Node[];
  /** The same with neighbouring text joined, for filling without a trace. */
  readonly parts: readonly Part[];
  readonly glue: '' | '\n';
  readonly inside?: Inside | undefined;
}

/**
 * What is said inside the turn that a line begins with, after what the model's format has before
 * it; where the line begins with no such turn, in one of its own.
 */
export interface Inside {
  /** What the format writes before the turn in each round, which belongs to no role. */
  readonly lead: Line;
  readonly begin: Line;
  readonly said: Line;
  readonly end: Line;
}

export type Part = string | FieldNode | ShotsNode | ExpandNode | PartsNode;

export function makeLine(nodes: readonly Node[], glue: Line['glue'], inside?: Inside): Line {
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
  return { nodes, parts, glue, inside };
}

export function makeTextPlan(lines: readonly Line[], answerPrefix?: string): TextPlan {
  const hasIds = ({ nodes }: Line) =>
    nodes.some((node) => node.type === 'text' && node.span.tokenIds !== undefined);
  const hasTokenIds = lines.some(
    (line) => hasIds(line) || Object.values(line.inside ?? {}).some(hasIds),
  );
  return { type: 'text', lines, hasTokenIds, answerPrefix };
}

/** Whether there is a place for examples. */
export function showsShots(plan: Plan): boolean {
  const isThere = ({ nodes, inside }: Line): boolean =>
    nodes.some(isShots) || Object.values(inside ?? {}).some(isThere);
  if (plan.type === 'text') return plan.lines.some(isThere);
  return plan.entries.some(
    (entry) => entry.type === 'shots' || (entry.type === 'message' && entry.lines.some(isThere)),
  );
}

function isShots(node: Node): boolean {
  if (node.type === 'shots') return true;
  return node.type === 'parts' && node.parts.flatMap(nodesOfPart).some(isShots);
}

export function makeMessagesPlan(entries: readonly MessageEntry[], merge: boolean): MessagesPlan {
  const hasMedia = entries.some(
    (entry) =>
      entry.type === 'message' &&
      entry.lines.some(({ nodes }) => nodes.some((node) => node.type === 'parts')),
  );
  return { type: 'messages', entries, merge, hasMedia };
}
