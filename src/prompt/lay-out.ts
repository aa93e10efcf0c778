import { TemplateError } from '../errors.ts';
import { arrangeDialogue, arrangeEdge, arrangeShot, type Utterance } from './dialogue.ts';
import type { ModelFormat } from './format.ts';
import type { MetaTemplate, RoleFormat } from './meta-template.ts';
import type { ExpandNode, Node } from './node.ts';
import {
  type Line,
  type MessageEntry,
  makeLine,
  makeMessagesPlan,
  makeTextPlan,
  type Plan,
} from './plan.ts';
import {
  type DialogueBody,
  type Item,
  type MessagesBody,
  nodesOf,
  type SingleBody,
  type TemplateBody,
  type Turn,
} from './template.ts';

export type Mode = 'gen' | 'ppl';

/** What is laid out: a whole prompt up to the answer, a whole prompt in full, or one example. */
export type Extent = Mode | 'shot';

export interface LayoutOptions {
  readonly format: ModelFormat;
  readonly extent: Extent;
  /** Examples are dialogues of their own, not text. */
  readonly shotsAreTurns: boolean;
}

/** Puts a data-side template into a model's format. */
export function layOut(body: SingleBody, options: LayoutOptions): Plan {
  const { format } = options;
  if (format.type !== 'chat' && hasMedia(body)) throw mediaNeedMessages();
  switch (body.type) {
    case 'string':
      return layOutString(body.nodes, format, options.extent);
    case 'dialogue':
      return format.type === 'plain' || (format.type === 'text' && !format.meta.round)
        ? layOutLines(body, format, options.extent)
        : layOutDialogue(body, format, options);
    case 'messages':
      return format.type === 'chat' || format.type === 'chat-template'
        ? layOutRawMessages(body, options)
        : layOut(messagesAsDialogue(body), options);
  }
}

/** Whether a template shows media. */
export function hasMedia(body: TemplateBody): boolean {
  return [...nodesOf(body)].some((node) => node.type === 'parts');
}

export function mediaNeedMessages(): TemplateError {
  return new TemplateError(
    'template.media_need_messages',
    'the template shows media, but the model takes one text',
    { hint: 'Use a chat model, such as `type: OpenAI`.' },
  );
}

function layOutString(nodes: readonly Node[], format: ModelFormat, extent: Extent): Plan {
  const line = makeLine(nodes, '');
  if (extent === 'shot' || format.type === 'plain' || format.type === 'text') {
    return makeTextPlan([line]);
  }
  return makeMessagesPlan([{ type: 'message', role: 'user', lines: [line] }], true);
}

/** Without roles to go by, what is said stands as it is, one line each. */
function layOutLines(body: DialogueBody, format: ModelFormat, extent: Extent): Plan {
  const items = extent === 'shot' ? body.round : [...body.begin, ...body.round, ...body.end];
  const lines = items.map((item, index) => makeLine(bareNodes(item), index === 0 ? '' : '\n'));
  if (format.type !== 'text' || extent === 'shot') return makeTextPlan(lines);
  const edge = (items: readonly Item[]) => items.map((item) => makeLine(bareNodes(item), ''));
  return makeTextPlan([...edge(format.meta.begin), ...lines, ...edge(format.meta.end)]);
}

function bareNodes(item: Item): readonly Node[] {
  if (item.type === 'text') return item.nodes;
  if (item.type === 'expand') return [expandNode(item.column, item, undefined)];
  return [...(item.begin ?? []), ...(item.prompt ?? []), ...(item.end ?? [])];
}

function layOutDialogue(
  body: DialogueBody,
  format: Exclude<ModelFormat, { type: 'plain' }>,
  options: LayoutOptions,
): Plan {
  const { meta } = format;
  const { extent } = options;
  const said = extent === 'shot' ? arrangeShot(body, meta) : arrangeDialogue(body, meta, extent);
  if (extent !== 'shot') {
    said.unshift(...arrangeEdge(meta.begin, meta));
    if (said.at(-1)?.type !== 'generate') said.push(...arrangeEdge(meta.end, meta));
  }
  if (format.type === 'text') {
    return makeTextPlan([makeLine(spokenNodes(said, meta), '')]);
  }
  return layOutMessages(said, meta, options.shotsAreTurns);
}

/** All that is said, one after the other; some roles speak inside the next turn of another. */
function spokenNodes(said: readonly Utterance[], meta: MetaTemplate): readonly Node[] {
  const nodes: Node[] = [];
  let inside: Node[] = [];
  let into: RoleFormat | undefined;
  for (const utterance of said) {
    const role = utterance.type === 'speak' ? utterance.format : undefined;
    if (role?.into !== undefined) {
      inside.push(...textNodes(utterance, meta));
      into = meta.roles.get(role.into);
      continue;
    }
    if (into && (role === into || utterance.type === 'generate')) {
      // Where the other role has no turn before the answer, it is given one.
      if (role !== into) nodes.push(...into.begin, ...inside, ...into.end);
      nodes.push(...textNodes(utterance, meta, role === into ? inside : []));
      [inside, into] = [[], undefined];
      continue;
    }
    nodes.push(...textNodes(utterance, meta));
  }
  return into ? [...nodes, ...into.begin, ...inside, ...into.end] : nodes;
}

function textNodes(
  utterance: Utterance,
  meta: MetaTemplate,
  inside: readonly Node[] = [],
): readonly Node[] {
  if (utterance.type === 'text') return utterance.nodes;
  if (utterance.type === 'expand') return [expandNode(utterance.column, utterance, meta)];
  const { format, turn } = utterance;
  const begin = turn?.begin ?? format.begin;
  if (utterance.type === 'generate') return turn?.begin ?? format.opening ?? begin;
  return [...begin, ...inside, ...saidBy(format, turn), ...(turn?.end ?? format.end)];
}

function saidBy(format: RoleFormat, turn: Turn | undefined): readonly Node[] {
  return turn?.prompt ?? format.prompt ?? [];
}

function layOutMessages(
  said: readonly Utterance[],
  meta: MetaTemplate,
  shotsAreTurns: boolean,
): Plan {
  const entries: MessageEntry[] = [];
  for (const utterance of said) {
    if (utterance.type === 'generate') break;
    if (utterance.type === 'text') {
      // Chat messages cannot hold text that nobody says, so the user says it.
      const role = meta.roles.get('HUMAN')?.wireRole ?? 'user';
      for (const nodes of splitAtShots(utterance.nodes, shotsAreTurns)) {
        if (nodes === 'shots') entries.push({ type: 'shots' });
        else addMessage(entries, role, nodes);
      }
    } else if (utterance.type === 'expand') {
      entries.push({ type: 'expand', node: expandNode(utterance.column, utterance, meta) });
    } else {
      addMessage(entries, utterance.format.wireRole, textNodes(utterance, meta));
    }
  }
  return makeMessagesPlan(entries, true);
}

function* splitAtShots(
  nodes: readonly Node[],
  shotsAreTurns: boolean,
): Generator<Node[] | 'shots'> {
  let text: Node[] = [];
  for (const node of nodes) {
    if (node.type !== 'shots' || !shotsAreTurns) {
      text.push(node);
      continue;
    }
    if (text.length > 0) yield text;
    yield 'shots';
    text = [];
  }
  if (text.length > 0) yield text;
}

function addMessage(entries: MessageEntry[], role: string, nodes: readonly Node[]): void {
  const last = entries.at(-1);
  if (last?.type === 'message' && last.role === role) {
    const lines: Line[] = [...last.lines, makeLine(nodes, '\n')];
    entries[entries.length - 1] = { ...last, lines };
  } else {
    entries.push({ type: 'message', role, lines: [makeLine(nodes, '')] });
  }
}

function layOutRawMessages(body: MessagesBody, { extent }: LayoutOptions): Plan {
  const items = extent === 'shot' ? body.items.filter((item) => item.type !== 'text') : body.items;
  const entries = items.map((item): MessageEntry => {
    if (item.type === 'text') return { type: 'shots' };
    if (item.type === 'expand')
      return { type: 'expand', node: expandNode(item.column, item, undefined) };
    return { type: 'message', role: item.role, lines: [makeLine(item.prompt ?? [], '')] };
  });
  if (extent === 'gen' && isAnswerSlot(items.at(-1))) entries.pop();
  return makeMessagesPlan(entries, false);
}

/** A last assistant message that holds nothing but the hidden answer is where the model answers. */
function isAnswerSlot(item: Item | undefined): boolean {
  if (item?.type !== 'turn' || item.role !== 'assistant') return false;
  return (item.prompt ?? []).every((node) => node.type === 'text' && node.span.text.trim() === '');
}

const roleOfWireRole: Readonly<Record<string, string>> = {
  system: 'SYSTEM',
  developer: 'SYSTEM',
  user: 'HUMAN',
  assistant: 'BOT',
  tool: 'TOOL',
};

/** Messages in wire roles as a dialogue, for models that take text. */
export function messagesAsDialogue(body: MessagesBody): DialogueBody {
  const round = body.items.map((item): Item => {
    if (item.type !== 'turn') return item;
    const role = roleOfWireRole[item.role] ?? item.role;
    return role === 'HUMAN' || role === 'BOT'
      ? { ...item, role }
      : { ...item, role, fallbackRole: 'HUMAN' };
  });
  return { type: 'dialogue', begin: [], round, end: [] };
}

function expandNode(
  column: string,
  { path }: { path: Item['path'] },
  meta: MetaTemplate | undefined,
): ExpandNode {
  const affixes = new Map<string, { begin: readonly Node[]; end: readonly Node[] }>();
  for (const [wireRole, role] of Object.entries(roleOfWireRole)) {
    const own = meta?.roles.get(role);
    const format = own?.into === undefined && own ? own : meta?.roles.get('HUMAN');
    if (format) affixes.set(wireRole, { begin: format.begin, end: format.end });
  }
  return { type: 'expand', column, at: { path, start: 0 }, affixes };
}
