import {
  type ExpandNode,
  type FieldNode,
  type Node,
  nodesOfPart,
  type PartsNode,
  type ShotsNode,
} from './node.ts';
import { changeItems, type Item, itemsOf, type SingleBody, type Turn } from './template.ts';
import type { Row } from './values.ts';

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

/** The examples of a prompt, of which it matters whether there are any. */
interface TakenShots {
  readonly rows: readonly unknown[];
}

/** What of a template says nothing in some prompt. */
export interface Silent {
  /** Columns that are empty. */
  readonly columns: ReadonlySet<string>;
  /** Whether there are no examples. */
  readonly shots: boolean;
}

const nothing: Silent = { columns: new Set(), shots: false };

/** A program, or those for rows that leave something of it unsaid. */
export interface Varied<Program> {
  readonly variantOf?: ((row: Row, shots: TakenShots | undefined) => Program) | undefined;
}

export interface Compiled<Program> {
  readonly program: Program;
  /** The columns at the end of the prompt: where they are empty, it ends before them. */
  readonly tail: readonly string[];
}

/** The program, with those for rows that leave something of it unsaid. */
export function withVariants<Program extends object>(
  compile: (silent: Silent) => Compiled<Program>,
  { body }: { readonly body: SingleBody },
): Program & Varied<Program> {
  const { program, tail } = compile(nothing);
  const mayLack = body.type !== 'string' && itemsOf(body).some(isShotsAlone);
  if (tail.length === 0 && !mayLack) return program;
  const known = new Map<string, Program>([['false', program]]);
  return {
    ...program,
    variantOf(row: Row, examples: TakenShots | undefined) {
      const empty = tail.filter((name) => row[name] === '');
      const shots = mayLack && !examples?.rows.length;
      const key = [shots, ...empty].join('\0');
      const variant = known.get(key) ?? compile({ columns: new Set(empty), shots }).program;
      known.set(key, variant);
      return variant;
    },
  };
}

/** The program that makes the prompt of a row. */
export function programFor<Program extends Varied<Program>>(
  program: Program,
  row: Row,
  shots?: TakenShots,
): Program {
  return program.variantOf === undefined ? program : program.variantOf(row, shots);
}

/** A template without the turns that say nothing but examples. */
export function withoutShotTurns<Body extends SingleBody>(body: Body): Body {
  return changeItems(body, (items) => items.filter((item) => !isShotsAlone(item)));
}

function isShotsAlone(item: Item): item is Turn {
  if (item.type !== 'turn' || !item.prompt?.length) return false;
  return item.prompt.every(({ type }) => type === 'shots');
}
