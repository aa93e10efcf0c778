import type { Node } from './node.ts';
import type { Span } from './origin.ts';
import { type Content, plainParts } from './parts/content.ts';
import { makeLine, programFor } from './plan.ts';
import type { PromptProgram } from './program.ts';
import { contentOf } from './prompt.ts';
import type { ShotStyle } from './shots.ts';
import type { Item, SingleBody } from './template.ts';
import { inShot, type NamedRow, type Shots, traceLines } from './trace.ts';

/**
 * The prompt between the data side and the model side: filled in, not yet in any model's format.
 * One text, or a list of what roles say and texts that no role says.
 */
export type PromptList =
  | { readonly type: 'text'; readonly spans: readonly Span[] }
  | { readonly type: 'list'; readonly items: readonly PromptListItem[] };

export type PromptListItem =
  | {
      readonly type: 'turn';
      readonly role: string;
      readonly fallbackRole?: string;
      readonly spans: readonly Span[];
    }
  | { readonly type: 'text'; readonly spans: readonly Span[] };

/**
 * The prompt list of a row, with the origin of every character.
 *
 * @example
 * const round = [{ role: 'HUMAN', prompt: '{q}' }];
 * const program = compilePrompt({ promptTemplate: { template: { round } } });
 * const list = tracePromptList(program, { id: 0, row: { q: '1+1?' } });
 * list.type === 'list' && list.items.map(({ type, spans }) => [type, joinSpans(spans)]);
 * // [['turn', '1+1?']]
 */
export function tracePromptList(
  program: PromptProgram,
  named: NamedRow,
  shots?: Shots,
): PromptList {
  const { body, shotStyle } = programFor(program, named.row, shots);
  if (body.type === 'string') return { type: 'text', spans: traceNodes(body.nodes, named, shots) };
  return { type: 'list', items: traceItems(body, { named, shots, shotStyle }) };
}

interface ListContext {
  readonly named: NamedRow;
  readonly shots: Shots | undefined;
  readonly shotStyle: ShotStyle | undefined;
}

function traceItems(
  body: Exclude<SingleBody, { type: 'string' }>,
  context: ListContext,
): PromptListItem[] {
  const items = body.type === 'dialogue' ? [...body.begin, ...body.round, ...body.end] : body.items;
  return items.flatMap((item) => traceItem(item, context));
}

function traceItem(item: Item, context: ListContext): PromptListItem[] {
  const { named, shots, shotStyle } = context;
  if (item.type === 'expand') {
    const node: Node = {
      type: 'expand',
      column: item.column,
      at: { path: item.path, start: 0 },
      affixes: new Map(),
    };
    return [{ type: 'text', spans: traceNodes([node], named, shots) }];
  }
  if (item.type === 'turn') {
    const { role, fallbackRole } = item;
    const spans = traceNodes(item.prompt ?? [], named, shots);
    return [{ type: 'turn', role, ...(fallbackRole !== undefined && { fallbackRole }), spans }];
  }
  if (!shotStyle?.turns) {
    const spans = traceNodes(item.nodes, named, shots);
    return spans.length === 0 ? [] : [{ type: 'text', spans }];
  }
  return item.nodes.flatMap((node): PromptListItem[] =>
    node.type === 'shots'
      ? traceShots(shots, shotStyle)
      : [{ type: 'text', spans: traceNodes([node], named, shots) }],
  );
}

function traceShots(shots: Shots | undefined, shotStyle: ShotStyle): PromptListItem[] {
  return (shots?.rows ?? []).flatMap((named, shot) => {
    const { body } = shotStyle.formOf(named.row);
    if (body.type === 'string') return [];
    const items = body.type === 'dialogue' ? body.round : body.items;
    return items
      .flatMap((item) => traceItem(item, { named, shots: undefined, shotStyle: undefined }))
      .map((item) => ({ ...item, spans: inShot(item.spans, shot) }));
  });
}

function traceNodes(nodes: readonly Node[], named: NamedRow, shots: Shots | undefined): Span[] {
  return traceLines([makeLine(nodes, '')], named, shots);
}

type PlainPrompt = string | Record<string, unknown>[];

export interface PlainTurn {
  readonly role: string;
  readonly fallback_role?: string;
  readonly prompt: PlainPrompt;
}

function plainContent(content: Content): PlainPrompt {
  return typeof content === 'string' ? content : plainParts(content);
}

/**
 * The prompt list in the vocabulary of configs: strings and `{role, prompt}`.
 *
 * @example
 * const round = [{ role: 'HUMAN', prompt: '{q}' }];
 * const program = compilePrompt({ promptTemplate: { template: { round } } });
 * plainPromptList(tracePromptList(program, { id: 0, row: { q: '1+1?' } }));
 * // [{ role: 'HUMAN', prompt: '1+1?' }]
 */
export function plainPromptList(list: PromptList): PlainPrompt | (PlainPrompt | PlainTurn)[] {
  if (list.type === 'text') return plainContent(contentOf(list.spans));
  return list.items.map((item) => {
    const prompt = plainContent(contentOf(item.spans));
    if (item.type === 'text') return prompt;
    const { role, fallbackRole } = item;
    return { role, ...(fallbackRole !== undefined && { fallback_role: fallbackRole }), prompt };
  });
}
