import { type Node, type PartTemplate, type TextNode, textNode } from './node.ts';
import type { Origin } from './origin.ts';
import { type Line, type MessageEntry, makeLine, type Plan } from './plan.ts';
import { changeItems, type Item, type SingleBody, type Turn } from './template.ts';

/** A plan that ends where the model answers, and the spaces before the answer that it does not send. */
export interface OpenEnd {
  readonly plan: Plan;
  readonly dropped: string;
  /** The columns after which the prompt ends: where one is empty, it ends before that. */
  readonly tail: readonly string[];
}

export interface OpenEndOptions {
  readonly keepSpaces: boolean;
  /** The columns at the end that are empty. */
  readonly empty?: ReadonlySet<string> | undefined;
}

/** A template whose turns end before the spaces that stand before a hidden answer. */
export interface OpenTurns<Body> {
  readonly body: Body;
  /** The columns after which such a turn ends. */
  readonly tail: readonly string[];
}

/** The rule of `openEnd` for what each turn says, whoever speaks after it and in whatever format. */
export function openTurns<Body extends SingleBody>(
  body: Body,
  { keepSpaces, empty = noColumns }: OpenEndOptions,
): OpenTurns<Body> {
  if (keepSpaces || body.type === 'string') return { body, tail: [] };
  const tail: string[] = [];
  let isFirst = true;
  const open = (nodes: readonly Node[]): readonly Node[] => {
    const said = withoutBlankNodes(nodes);
    const answer = endingMask(said);
    if (!answer) return nodes;
    tail.push(...tailOf(said.slice(0, answer.end)));
    return withoutSpaces(said, { end: answer.end, isFirst, empty }).nodes;
  };
  const openPart = (part: PartTemplate) =>
    part.type === 'text' ? { ...part, nodes: open(part.nodes) } : part;
  const opened = changeItems(body, (items) =>
    items.map((item) => {
      if (item.type !== 'turn' || !item.prompt) return item;
      const prompt = open(item.prompt).map((node) =>
        node.type === 'parts' ? { ...node, parts: node.parts.map(openPart) } : node,
      );
      isFirst = false;
      return { ...item, prompt };
    }),
  );
  return { body: opened, tail };
}

/** What is said up to a hidden answer that white space alone follows. */
function withoutBlankNodes(nodes: readonly Node[]): readonly Node[] {
  const end = nodes.findLastIndex(isMask) + 1;
  const answer = nodes[end - 1];
  return answer && isEmpty(answer) && nodes.slice(end).every(isBlank) ? nodes.slice(0, end) : nodes;
}

/**
 * The one rule for what stands before a hidden answer that ends a prompt, in strings and dialogues
 * alike: line breaks are sent, and spaces after the last of them are left to the model, which
 * writes words with the space before them.
 */
export function openEnd(plan: Plan, options: OpenEndOptions): OpenEnd {
  const last = lastLines(plan);
  if (last.length === 0) return { plan, dropped: '', tail: [] };
  const { lines, ...end } = openLines(last, options);
  return { plan: withLines(plan, lines), ...end };
}

/** What the last line of a prompt is made of. */
export function lastNodes(plan: Plan): readonly Node[] {
  return lastLines(plan).at(-1)?.nodes ?? [];
}

/** The same prompt with other lines at its end. */
function withLines(plan: Plan, lines: readonly Line[]): Plan {
  if (plan.type === 'text') return { ...plan, lines };
  const last = { ...plan.entries.at(-1), lines } as MessageEntry;
  return { ...plan, entries: [...plan.entries.slice(0, -1), last] };
}

type OpenedLines = Omit<OpenEnd, 'plan'> & { readonly lines: readonly Line[] };

function openLines(
  lines: readonly Line[],
  { keepSpaces, empty = noColumns }: OpenEndOptions,
): OpenedLines {
  const index = lines.findLastIndex(({ nodes }) => !nodes.every(isEmpty) || nodes.some(isMask));
  const line = lines[index];
  const answer = line ? endingMask(line.nodes) : undefined;
  if (!line || answer === undefined) return { lines, dropped: '', tail: [] };
  const { nodes, dropped } = keepSpaces
    ? { nodes: line.nodes, dropped: '' }
    : withoutSpaces(line.nodes, { end: answer.end, isFirst: index === 0, empty });
  const left = dropped === '' ? unsentSpaces(line.nodes.slice(answer.end)) : dropped;
  const opened = makeLine(nodes, line.glue, line.inside);
  return {
    lines: lines.with(index, nodes.every(isEmpty) ? withGlue(opened) : opened),
    dropped: left,
    tail: keepSpaces ? [] : tailOf(line.nodes.slice(0, answer.end)),
  };
}

const noColumns: ReadonlySet<string> = new Set();

/** The spaces before a hidden answer that are not sent. */
export function unsentSpaces(nodes: readonly Node[]): string {
  return nodes.findLast(isMask)?.span.origin.dropped ?? '';
}

/** Where the nodes before a mask end, if nothing is printed after it. */
function endingMask(nodes: readonly Node[]): { readonly end: number } | undefined {
  const end = nodes.findLastIndex((node) => !isEmpty(node)) + 1;
  return nodes.slice(end).some(isMask) ? { end } : undefined;
}

/** The columns after the last text that is more than spaces, if some spaces may end the prompt. */
function tailOf(nodes: readonly Node[]): string[] {
  const start = nodes.findLastIndex(
    (node) => node.type !== 'field' && !(isLiteral(node) && withoutEnd(node.span.text) === ''),
  );
  const last = nodes[start];
  const tail = nodes.slice(start + 1);
  const columns = tail.flatMap((node) => (node.type === 'field' ? [node.name] : []));
  const isSpaced = (node: Node | undefined) =>
    isLiteral(node) && withoutEnd(node.span.text) !== node.span.text;
  return isSpaced(last) || tail.some(isSpaced) ? columns : [];
}

interface SpacesBefore {
  readonly end: number;
  readonly isFirst: boolean;
  readonly empty: ReadonlySet<string>;
}

function withoutSpaces(
  nodes: readonly Node[],
  { end, isFirst, empty }: SpacesBefore,
): { readonly nodes: readonly Node[]; readonly dropped: string } {
  const opened = [...nodes];
  let dropped = '';
  for (let index = end - 1; index >= 0; index--) {
    const node = nodes[index] as Node;
    if (node.type === 'field' && empty.has(node.name)) continue;
    if (!isLiteral(node)) break;
    const { text, origin } = node.span;
    const kept = withoutEnd(text);
    dropped = text.slice(kept.length) + dropped;
    opened[index] = textNode(kept, origin);
    if (kept !== '') break;
  }
  const isSilent = (node: Node) => isEmpty(node) || (node.type === 'field' && empty.has(node.name));
  const isWholePrompt = isFirst && opened.slice(0, end).every(isSilent);
  if (dropped === '' || isWholePrompt) return { nodes, dropped: '' };
  const marked = opened.map((node, index) =>
    index >= end && isMask(node) ? textNode('', { ...node.span.origin, dropped }) : node,
  );
  return { nodes: marked, dropped };
}

function withoutEnd(text: string): string {
  return text.replace(/[\t\p{Zs}]+$/u, '');
}

function isLiteral(node: Node | undefined): node is TextNode {
  return isText(node) && node.span.origin.type === 'literal';
}

/** A line that holds nothing but the hidden answer begins where the answer will stand. */
function withGlue({ nodes, glue, inside }: Line): Line {
  if (glue === '') return makeLine(nodes, '', inside);
  return makeLine([textNode(glue, { type: 'separator', name: 'line' }), ...nodes], '', inside);
}

function isText(node: Node | undefined): node is TextNode {
  return node?.type === 'text' && node.span.tokenIds === undefined;
}

function isEmpty(node: Node): boolean {
  return isText(node) && node.span.text === '';
}

type MaskNode = TextNode & { readonly span: { readonly origin: Origin & { type: 'mask' } } };

function isMask(node: Node): node is MaskNode {
  return isText(node) && node.span.origin.type === 'mask';
}

/** What the template has an answer begin with, which the model does not write itself. */
export interface AnswerPrefix {
  /** It, and the mark of the answer that is hidden after it. */
  readonly nodes: readonly Node[];
  /** Left out where it is not the same in every row. */
  readonly text?: string | undefined;
}

/**
 * The beginning of the answer that is to be written in a turn: fixed text before the hidden answer.
 * What columns say there may give the answer away, and is left out, unless it is a message to be
 * sent as it is written.
 */
export function answerPrefixOf(turn: Turn | undefined): AnswerPrefix | undefined {
  const { before, hidden } = splitAtAnswer(turn);
  if (!turn || (hidden.length === 0 && !turn.isBegun) || before.every(isBlank)) return undefined;
  const text = fixedText(before);
  if (text === undefined && !turn.isBegun) return undefined;
  return { nodes: [...before, ...hidden], text };
}

/**
 * Whether a turn says something where the model answers that is not sent. As a line of a text it
 * loses only what may give its hidden answer away.
 */
export function losesStart(turn: Turn | undefined, isLine = false): turn is Turn {
  const { before, hidden } = splitAtAnswer(turn);
  if (before.every(isBlank) || (isLine && hidden.length === 0)) return false;
  return answerPrefixOf(turn) === undefined;
}

/** A turn without what it says before the hidden answer. */
export function withoutStart(turn: Turn): Turn {
  return { ...turn, prompt: (turn.prompt ?? []).slice(splitAtAnswer(turn).before.length) };
}

/** Whether an item says nothing but the hidden answer. */
export function isAnswerSlot(item: Item | undefined): boolean {
  return item?.type === 'turn' && (item.prompt ?? []).every((node) => isBlank(node));
}

function splitAtAnswer(turn: Turn | undefined) {
  const nodes = turn?.prompt ?? [];
  const end = nodes.findIndex(isMask);
  const hidden = nodes.filter(isMask).slice(0, 1);
  return {
    before: end < 0 ? nodes : nodes.slice(0, end),
    hidden: hidden.map(({ span }) => textNode('', span.origin)),
  };
}

/** What nodes say, if it is the same in every row. */
export function fixedText(nodes: readonly Node[]): string | undefined {
  const texts = nodes.flatMap((node) => (isText(node) ? [node.span.text] : []));
  return texts.length === nodes.length ? texts.join('') : undefined;
}

function isBlank(node: Node): boolean {
  return isText(node) && node.span.text.trim() === '';
}

/** The lines at the end of a prompt, among which its hidden answer may stand. */
export function lastLines(plan: Plan): readonly Line[] {
  const last = plan.type === 'text' ? plan : plan.entries.at(-1);
  return last && 'lines' in last ? last.lines : [];
}

/** The same prompt without white space after the place of its answer, where nothing else follows it. */
export function withoutBlankEnd(plan: Plan): Plan {
  const lines = lastLines(plan);
  const index = lines.findLastIndex(({ nodes }) => nodes.some(isMask));
  const own = lines[index];
  if (!own) return plan;
  const said = lines.slice(index).flatMap(({ nodes }) => nodes);
  const kept = withoutBlankNodes(said);
  if (kept === said) return plan;
  return withLines(plan, [...lines.slice(0, index), makeLine(kept, own.glue, own.inside)]);
}
