import { type Node, type TextNode, textNode } from './node.ts';
import type { Origin } from './origin.ts';
import { type Line, type MessageEntry, makeLine, type Plan } from './plan.ts';
import type { Item, Turn } from './template.ts';

/** A plan that ends where the model answers, and the spaces before the answer that it does not send. */
export interface OpenEnd {
  readonly plan: Plan;
  readonly dropped: string;
}

/**
 * The one rule for what stands before a hidden answer that ends a prompt, in strings and dialogues
 * alike: line breaks are sent, and spaces after the last of them are left to the model, which
 * writes words with the space before them.
 */
export function openEnd(plan: Plan, { keepSpaces }: { readonly keepSpaces: boolean }): OpenEnd {
  if (plan.type === 'text') {
    const { lines, dropped } = openLines(plan.lines, keepSpaces);
    return { plan: { ...plan, lines }, dropped };
  }
  const last = plan.entries.at(-1);
  if (last?.type !== 'message') return { plan, dropped: '' };
  const { lines, dropped } = openLines(last.lines, keepSpaces);
  const entries: MessageEntry[] = [...plan.entries.slice(0, -1), { ...last, lines }];
  return { plan: { ...plan, entries }, dropped };
}

/** What the last line of a prompt is made of. */
export function lastNodes(plan: Plan): readonly Node[] {
  const last = plan.type === 'text' ? plan : plan.entries.at(-1);
  return (last && 'lines' in last && last.lines.at(-1)?.nodes) || [];
}

function openLines(
  lines: readonly Line[],
  keepSpaces: boolean,
): { readonly lines: readonly Line[]; readonly dropped: string } {
  const index = lines.findLastIndex(({ nodes }) => !nodes.every(isEmpty) || nodes.some(isMask));
  const line = lines[index];
  const answer = line ? endingMask(line.nodes) : undefined;
  if (!line || answer === undefined) return { lines, dropped: '' };
  const { nodes, dropped } = keepSpaces
    ? { nodes: line.nodes, dropped: '' }
    : withoutSpaces(line.nodes, { end: answer.end, isFirst: index === 0 });
  const opened = makeLine(nodes, line.glue, line.inside);
  return { lines: lines.with(index, nodes.every(isEmpty) ? withGlue(opened) : opened), dropped };
}

/** Where the nodes before a mask end, if nothing is printed after it. */
function endingMask(nodes: readonly Node[]): { readonly end: number } | undefined {
  const end = nodes.findLastIndex((node) => !isEmpty(node)) + 1;
  return nodes.slice(end).some(isMask) ? { end } : undefined;
}

function withoutSpaces(
  nodes: readonly Node[],
  { end, isFirst }: { readonly end: number; readonly isFirst: boolean },
): { readonly nodes: readonly Node[]; readonly dropped: string } {
  const last = nodes[end - 1];
  if (!isText(last) || last.span.origin.type !== 'literal') return { nodes, dropped: '' };
  const { text, origin } = last.span;
  const kept = text.replace(/[\t\p{Zs}]+$/u, '');
  const isWholePrompt = isFirst && end === 1 && kept === '';
  if (kept === text || isWholePrompt) return { nodes, dropped: '' };
  const dropped = text.slice(kept.length);
  const opened = nodes.map((node, index) => {
    if (index === end - 1) return textNode(kept, origin);
    return index >= end && isMask(node) ? textNode('', { ...node.span.origin, dropped }) : node;
  });
  return { nodes: opened, dropped };
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

/** Whether a turn says something where the model answers that is not sent. */
export function losesStart(turn: Turn | undefined): boolean {
  return answerPrefixOf(turn) === undefined && !splitAtAnswer(turn).before.every(isBlank);
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

function fixedText(nodes: readonly Node[]): string | undefined {
  const texts = nodes.flatMap((node) =>
    node.type === 'text' && !node.span.tokenIds ? [node.span.text] : [],
  );
  return texts.length === nodes.length ? texts.join('') : undefined;
}

function isBlank(node: Node): boolean {
  return node.type === 'text' && !node.span.tokenIds && node.span.text.trim() === '';
}
