import { type ConfigPath, formatPath } from '../errors.ts';
import { answerPrefixOf, lastLines } from '../prompt/before-answer.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import { isLinewise } from '../prompt/format.ts';
import type { Node, TextNode } from '../prompt/node.ts';
import type { TemplatePosition } from '../prompt/origin.ts';
import type { Line, Plan } from '../prompt/plan.ts';
import type { PromptProgram } from '../prompt/program.ts';
import { type Item, itemsOf, type SingleBody } from '../prompt/template.ts';

/** What may be wrong with the place of the hidden answer in a prompt. */
export function answerPlaceRemarks(program: PromptProgram, keepSpaces: boolean): Diagnostic[] {
  return [
    ...answerBefore(program),
    ...holes(program),
    ...sentAfterAnswer(program, keepSpaces),
    ...lastLine(program),
  ];
}

/** Places of the hidden answer that are not where the model answers: nothing is said there. */
function* holes({ body, mode, format }: PromptProgram): Generator<Diagnostic> {
  if (mode !== 'gen' || earlierAnswer(body)) return;
  // What follows in a text, and in turns that are lines of one, is told apart.
  const items = body.type === 'string' ? [] : itemsOf(body);
  const isTold = (item: Item) =>
    isLinewise(format) && item === items.findLast((one) => masksIn(nodesSaid(one)).length > 0);
  yield* answerHoles(body, isTold);
}

/** The hidden answer where the model does not give it: in other turns, and before its last place. */
export function answerHoles(
  body: SingleBody,
  isTold: (item: Item) => boolean = () => false,
): Diagnostic[] {
  if (body.type === 'string')
    return masksIn(body.nodes)
      .slice(0, -1)
      .slice(0, 1)
      .map((hole) => leftOut(hole));
  const items = itemsOf(body);
  const last = items.findLast(({ type }) => type === 'turn');
  return items.flatMap((item) => {
    if (item.type === 'expand') return [];
    const masks = masksIn(nodesSaid(item));
    const isAnswered = isTold(item) || (item === last && !saidAfter(item).some(isPrinted));
    const [hole] = isAnswered ? masks.slice(0, -1) : masks;
    return hole ? [leftOut(hole, item.path)] : [];
  });
}

function leftOut({ span: { origin } }: TextNode, path?: ConfigPath): Diagnostic {
  const [name, at] = origin.type === 'mask' ? [origin.field, origin.at] : [];
  return {
    code: 'template.answer_left_out',
    message: `\`{${name}}\`, the hidden answer, is not where the model answers: nothing is sent in its place`,
    hint: `Leave it out there${path ? ', or end the last turn with it' : ''}; for text that may be shown, use another column.`,
    ...(at ?? { path: path ?? [] }),
  };
}

function nodesSaid(item: Item): readonly Node[] {
  if (item.type === 'turn') return item.prompt ?? [];
  return item.type === 'text' ? item.nodes : [];
}

function masksIn(nodes: readonly Node[]): readonly TextNode[] {
  return nodes.filter(
    (node): node is TextNode => isMask(node) && isText(node) && node.span.text === '',
  );
}

/** What is said after the last place of the answer, but for white space. */
function saidAfter(item: Item): readonly Node[] {
  const nodes = nodesSaid(item);
  return nodes
    .slice(nodes.findLastIndex(isMask) + 1)
    .filter((node) => node.type !== 'text' || node.span.text.trim() !== '');
}

export const answerInEarlierTurn = 'template.answer_in_earlier_turn';

function* answerBefore({ body, mode }: PromptProgram): Generator<Diagnostic> {
  const turn = mode === 'gen' ? earlierAnswer(body) : undefined;
  if (!turn) return;
  yield {
    code: answerInEarlierTurn,
    message: `${formatPath(turn.path)} contains the hidden answer, but turns follow it: the model would see an empty answer`,
    hint: 'Make it the last turn, or use `MultiTurnPromptTemplate`.',
    path: turn.path,
  };
}

/** What is sent after the place of the answer; white space alone is left out, unless it is kept. */
function* sentAfterAnswer(
  { template, body, format, mode, whole }: PromptProgram,
  keepSpaces: boolean,
): Generator<Diagnostic> {
  if (mode !== 'gen' || (body.type === 'dialogue' && !isLinewise(format))) return;
  const after = earlierAnswer(body) ? undefined : whole && afterAnswer(whole);
  if (!after) return;
  const { text, at = { path: [...template.path, 'template'] } } = after;
  if (text.trim() !== '') {
    yield {
      code: 'template.text_after_answer',
      message: `\`${showSpace(text)}\` is sent after the position of the hidden answer: the model continues after it`,
      hint: 'Move it before the answer, or leave it out; end-of-turn marks belong in the `meta_template` of the model.',
      ...at,
    };
  } else if (!keepSpaces) {
    yield {
      code: 'template.space_after_answer',
      message: `\`${showSpace(text)}\` after the hidden answer is not sent: the model answers first`,
      hint: 'To send it, set `keep_trailing_spaces: true` in the inferencer.',
      ...at,
    };
  }
}

/** What a prompt has after the place of its hidden answer. */
export interface AfterAnswer {
  /** With columns in braces. */
  readonly text: string;
  /** Where it is written. */
  readonly at: TemplatePosition | undefined;
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

/** What a last BOT turn says that is a line of its own, without a format. */
function* lastLine({ mode, format, body }: PromptProgram): Generator<Diagnostic> {
  if (mode !== 'gen' || format.type !== 'plain' || body.type !== 'dialogue') return;
  const last = body.round.at(-1);
  if (last?.type !== 'turn' || last.role !== 'BOT') return;
  const said = last.prompt ?? [];
  const place = said.findIndex(isHidden);
  if (place < 0 && last.end?.some(isPrinted)) {
    yield {
      code: 'template.text_after_answer',
      message:
        'without a model format, the `end` of the last BOT turn is sent, although the model should answer before it',
      hint: 'Leave it out, or write it in the `meta_template` of the model, with `generate: true` for BOT.',
      path: last.path,
    };
  }
  if (body.end.length > 0) return;
  if (answerPrefixOf(last)) {
    yield {
      code: 'template.answer_start_kept',
      message: 'without a model format, the last BOT text is sent as the beginning of the answer',
      path: last.path,
    };
  }
}

function isPrinted(node: Node): boolean {
  return node.type !== 'text' || node.span.text !== '';
}

function isHidden(node: Node): boolean {
  return node.type === 'text' && node.span.origin.type === 'mask';
}
