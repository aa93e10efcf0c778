import { type Node, type TextNode, textNode } from './node.ts';
import type { TemplatePosition } from './origin.ts';
import { type Line, makeLine, type Plan } from './plan.ts';
import type { Item, SingleBody } from './template.ts';

/** What a prompt has after the place of its hidden answer. */
export interface AfterAnswer {
  /** With columns in braces. */
  readonly text: string;
  /** Where it is written. */
  readonly at: TemplatePosition | undefined;
}

/** The lines at the end of a prompt, among which its hidden answer may stand. */
function lastLines(plan: Plan): readonly Line[] {
  if (plan.type === 'text') return plan.lines;
  const last = plan.entries.at(-1);
  return last?.type === 'message' ? last.lines : [];
}

interface Place {
  readonly line: number;
  readonly node: number;
}

/** Where the last hidden answer stands; nothing where something is printed in its place. */
function answerPlace(lines: readonly Line[]): Place | undefined {
  const line = lines.findLastIndex(({ nodes }) => nodes.some(isMask));
  const node = lines[line]?.nodes.findLastIndex(isMask) ?? -1;
  const mask = lines[line]?.nodes[node];
  return mask && isText(mask) && mask.span.text === '' ? { line, node } : undefined;
}

/** What is sent after the place of the answer, if anything is. */
export function afterAnswer(plan: Plan): AfterAnswer | undefined {
  const lines = lastLines(plan);
  const place = answerPlace(lines);
  if (!place) return undefined;
  let text = '';
  let at: TemplatePosition | undefined;
  for (const [index, { nodes, glue, inside }] of lines.slice(place.line).entries()) {
    const after = index === 0 ? nodes.slice(place.node + 1) : nodes;
    const written = after.map(writtenText).join('');
    if (index > 0 && (written !== '' || inside)) text += glue;
    text += written;
    at ??= after.flatMap((node) => (writtenText(node) === '' ? [] : (placeOf(node) ?? [])))[0];
  }
  return text === '' ? undefined : { text, at };
}

/** The same prompt without white space after the place of its answer, where nothing else follows it. */
export function withoutBlankEnd(plan: Plan): Plan {
  const after = afterAnswer(plan);
  if (after?.text.trim() !== '') return plan;
  const lines = lastLines(plan);
  const place = answerPlace(lines);
  const own = place && lines[place.line];
  if (!own || lines.slice(place.line).some(({ inside }) => inside)) return plan;
  const nodes = own.nodes.map((node, index) =>
    index > place.node && isText(node) ? textNode('', node.span.origin) : node,
  );
  const opened = [...lines.slice(0, place.line), makeLine(nodes, own.glue)];
  if (plan.type === 'text') return { ...plan, lines: opened };
  const last = plan.entries.at(-1);
  if (last?.type !== 'message') return plan;
  return { ...plan, entries: [...plan.entries.slice(0, -1), { ...last, lines: opened }] };
}

/** A text with its white space visible. */
export function showSpace(text: string): string {
  return text
    .replaceAll('\r', '␍')
    .replaceAll('\n', '⏎')
    .replaceAll('\t', '⇥')
    .replaceAll(' ', '␣');
}

/** A turn with the hidden answer that other turns follow: nobody would say it. */
export function earlierAnswer(body: SingleBody): Item | undefined {
  if (body.type === 'string') return undefined;
  const items = body.type === 'dialogue' ? body.round : body.items;
  const lastTurn = items.findLastIndex(({ type }) => type === 'turn');
  return items.find((item, index) => index < lastTurn && isAnswerTurn(item));
}

function isAnswerTurn(item: Item): boolean {
  if (item.type !== 'turn' || !['BOT', 'assistant'].includes(item.role)) return false;
  return (item.prompt ?? []).some((node) => isMask(node) && isText(node) && node.span.text === '');
}

function writtenText(node: Node): string {
  if (node.type === 'text') return node.span.text;
  if (node.type === 'field') return node.missing.text;
  return node.type === 'shots' ? '' : '…';
}

function placeOf(node: Node): TemplatePosition | undefined {
  if (node.type === 'field') return node.at;
  return node.type === 'text' && 'at' in node.span.origin ? node.span.origin.at : undefined;
}

function isText(node: Node): node is TextNode {
  return node.type === 'text' && node.span.tokenIds === undefined;
}

function isMask(node: Node): boolean {
  return isText(node) && node.span.origin.type === 'mask';
}
