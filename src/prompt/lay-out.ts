import { formatPath, TemplateError } from '../errors.ts';
import {
  answerPrefixOf,
  isAnswerSlot,
  losesStart,
  type OpenEnd,
  type OpenEndOptions,
  openEnd,
  openTurns,
  withoutBlankEnd,
  withoutStart,
} from './before-answer.ts';
import { arrangeDialogue, arrangeEdge, arrangeShot, type Utterance } from './dialogue.ts';
import { isLinewise, type ModelFormat } from './format.ts';
import type { MetaTemplate, RoleFormat } from './meta-template.ts';
import type { ExpandNode, Node } from './node.ts';
import {
  type Inside,
  type Line,
  type MessageEntry,
  type MessagesPlan,
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
      return isLinewise(format)
        ? layOutLines(body, format, options.extent)
        : layOutDialogue(body, format, options);
    case 'messages':
      return format.type === 'chat' || format.type === 'chat-template'
        ? layOutRawMessages(body, options)
        : layOut(messagesAsDialogue(body, options.extent), options);
  }
}

export interface OpenLayout extends OpenEnd {
  /** The plan with all that is written around the hidden answer. */
  readonly whole: Plan;
}

/** Lays a prompt out; where the model answers, without the white space that is left to it. */
export function layOutOpen(body: SingleBody, options: LayoutOptions & OpenEndOptions): OpenLayout {
  const whole = layOut(body, options);
  if (options.extent !== 'gen') return { plan: whole, whole, dropped: '', tail: [] };
  const turns = openTurns(body, options);
  const laid: Plan =
    turns.body === body
      ? whole
      : { ...layOut(turns.body, options), answerPrefix: whole.answerPrefix };
  const end = openEnd(options.keepSpaces ? laid : withoutBlankEnd(laid), options);
  return { ...end, whole, tail: [...turns.tail, ...end.tail] };
}

/** Whether a template shows media. */
export function hasMedia(body: TemplateBody): boolean {
  return [...nodesOf(body)].some((node) => node.type === 'parts');
}

export function mediaNeedMessages(): TemplateError {
  return new TemplateError(
    'template.media_need_messages',
    'the template shows media, but the model takes text',
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
  const last = items.at(-1);
  const answered =
    extent === 'gen' && last?.type === 'turn' && last.role === 'BOT' ? last : undefined;
  const said = losesStart(answered, true) ? [...items.slice(0, -1), withoutStart(answered)] : items;
  const lines = said.map((item, index) => makeLine(bareNodes(item), index === 0 ? '' : '\n'));
  const start = answerPrefixOf(answered)?.text;
  if (format.type !== 'text' || extent === 'shot') return makeTextPlan(lines, start);
  const edge = (items: readonly Item[]) => items.map((item) => makeLine(bareNodes(item), ''));
  return makeTextPlan([...edge(format.meta.begin), ...lines, ...edge(format.meta.end)], start);
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
  const last = said.at(-1);
  const prefix = last?.type === 'generate' ? answerPrefixOf(last.turn) : undefined;
  if (format.type === 'text') {
    return makeTextPlan(spokenLines(said, meta), prefix?.text);
  }
  const plan = layOutMessages(said, meta, options.shotsAreTurns);
  if (plan.entries.length === 0 && last?.type === 'generate') throw nothingAsked(last, meta);
  if (last?.type !== 'generate' || !prefix) return plan;
  const answerPrefix = prefix.text;
  if (!continuesAnswers(format)) return { ...plan, answerPrefix };
  const entries = [...plan.entries];
  addMessage(entries, last.format.wireRole, textNodes(last, meta));
  return { ...plan, entries, isOpen: true, answerPrefix };
}

/** A chat in which the model is to speak first. */
function nothingAsked({ format, turn }: Utterance & { type: 'generate' }, meta: MetaTemplate) {
  const path = turn?.path ?? meta.path;
  return new TemplateError(
    'template.nothing_asked',
    `${formatPath(path)}: the model answers as ${format.role} before any other turn, so no message would be sent`,
    { path, hint: 'Put `generate: true` on BOT.' },
  );
}

/** Whether a model can be given the beginning of its answer. */
function continuesAnswers(format: ModelFormat): boolean {
  return format.type === 'chat-template' || (format.type === 'chat' && format.prefill === true);
}

/** Whether what the template has an answer begin with is part of the prompt. */
export function sendsAnswerPrefix(format: ModelFormat): boolean {
  return format.type !== 'chat' || continuesAnswers(format);
}

/** All that is said, one after the other; some roles speak inside the next turn of another. */
function spokenLines(said: readonly Utterance[], meta: MetaTemplate): Line[] {
  const lines: Line[] = [];
  let nodes: Node[] = [];
  let inside: Inside | undefined;
  let waiting: Waiting | undefined;
  const endLine = () => {
    if (nodes.length > 0 || inside) lines.push(makeLine(nodes, '', inside));
    nodes = [];
    inside = waiting && insideTurn(meta, waiting);
    waiting = undefined;
  };
  for (const utterance of said) {
    const into = utterance.type === 'speak' ? utterance.format.into : undefined;
    if (into !== undefined) {
      if (waiting && waiting.into !== into) endLine();
      waiting ??= { into, nodes: [] };
      waiting.nodes.push(...textNodes(utterance, meta));
      continue;
    }
    const isBare = utterance.type === 'text' && !utterance.nodes.some(isShots);
    if (waiting && !isBare) endLine();
    nodes.push(...textNodes(utterance, meta));
  }
  endLine();
  if (inside) endLine();
  return lines.length > 0 ? lines : [makeLine([], '')];
}

/** What is to be said in the next turn of a role. */
interface Waiting {
  readonly into: string;
  readonly nodes: Node[];
}

function insideTurn(meta: MetaTemplate, { into, nodes: said }: Waiting): Inside {
  const { begin = [], end = [], index = 0 } = meta.roles.get(into) ?? {};
  const lead = (meta.round ?? []).slice(0, Math.max(index, 0));
  return {
    lead: makeLine(
      lead.flatMap((entry) => (entry.type === 'text' ? entry.nodes : [])),
      '',
    ),
    begin: makeLine(begin, ''),
    said: makeLine(said, ''),
    end: makeLine(end, ''),
  };
}

function isShots({ type }: Node): boolean {
  return type === 'shots';
}

function textNodes(utterance: Utterance, meta: MetaTemplate): readonly Node[] {
  if (utterance.type === 'text') return utterance.nodes;
  if (utterance.type === 'expand') return [expandNode(utterance.column, utterance, meta)];
  const { format, turn } = utterance;
  const begin = turn?.begin ?? format.begin;
  if (utterance.type === 'generate') {
    const prefix = answerPrefixOf(turn);
    return prefix
      ? [...(turn?.begin ?? format.begun ?? begin), ...prefix.nodes]
      : (turn?.begin ?? format.opening ?? begin);
  }
  return [...begin, ...saidBy(format, turn), ...(turn?.end ?? format.end)];
}

function saidBy(format: RoleFormat, turn: Turn | undefined): readonly Node[] {
  return turn?.prompt ?? format.prompt ?? [];
}

function layOutMessages(
  said: readonly Utterance[],
  meta: MetaTemplate,
  shotsAreTurns: boolean,
): MessagesPlan {
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
      const { into, wireRole } = utterance.format;
      const lines = [makeLine(textNodes(utterance, meta), '')];
      if (into === undefined) addMessage(entries, wireRole, textNodes(utterance, meta));
      else entries.push({ type: 'message', role: roleInside(into, meta), lines, isInside: true });
    }
  }
  return makeMessagesPlan(entries, true);
}

function roleInside(into: string, { roles }: MetaTemplate): string {
  return roles.get(into)?.wireRole ?? 'user';
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
  if (last?.type === 'message' && last.role === role && !last.isInside) {
    const lines: Line[] = [...last.lines, makeLine(nodes, '\n')];
    entries[entries.length - 1] = { ...last, lines };
  } else {
    entries.push({ type: 'message', role, lines: [makeLine(nodes, '')] });
  }
}

function layOutRawMessages(body: MessagesBody, { extent, format }: LayoutOptions): Plan {
  const items = extent === 'shot' ? body.items.filter((item) => item.type !== 'text') : body.items;
  const entries = items.map((item): MessageEntry => {
    if (item.type === 'text') return { type: 'shots' };
    if (item.type === 'expand')
      return { type: 'expand', node: expandNode(item.column, item, undefined) };
    const folded = foldedRole(item, format);
    if (!folded)
      return { type: 'message', role: item.role, lines: [makeLine(item.prompt ?? [], '')] };
    const nodes = [...folded.begin, ...(item.prompt ?? []), ...folded.end];
    return { type: 'message', role: folded.wireRole, lines: [makeLine(nodes, '')], isInside: true };
  });
  const last = items.at(-1);
  const isAnswered = extent === 'gen' && last?.type === 'turn' && last.role === 'assistant';
  // A last assistant message that holds nothing but the hidden answer is where the model answers.
  if (isAnswered && isAnswerSlot(last)) entries.pop();
  const plan = makeMessagesPlan(entries, false);
  if (!isAnswered || isAnswerSlot(last)) return plan;
  return continuesAnswers(format)
    ? { ...plan, isOpen: true }
    : { ...plan, answerPrefix: answerPrefixOf({ ...last, isBegun: true })?.text };
}

/** The format of a system message for a chat template that knows no such role. */
function foldedRole({ role }: Turn, format: ModelFormat): RoleFormat | undefined {
  if (format.type !== 'chat-template' || roleOfWireRole[role] !== 'SYSTEM') return undefined;
  const system = format.meta.roles.get('SYSTEM');
  return system?.into === undefined ? undefined : system;
}

const roleOfWireRole: Readonly<Record<string, string>> = {
  system: 'SYSTEM',
  developer: 'SYSTEM',
  user: 'HUMAN',
  assistant: 'BOT',
  tool: 'TOOL',
};

/** Messages in wire roles as a dialogue, for models that take text. */
function messagesAsDialogue(body: MessagesBody, extent: Extent): DialogueBody {
  const round = body.items.map((item, index): Item => {
    if (item.type !== 'turn') return item;
    const turn = turnOfMessage(item);
    const isLast = extent === 'gen' && index === body.items.length - 1;
    return turn.role === 'BOT' && isLast ? { ...turn, isBegun: true } : turn;
  });
  return { type: 'dialogue', begin: [], round, end: [] };
}

function turnOfMessage(message: Turn): Turn {
  const role = roleOfWireRole[message.role] ?? message.role;
  const isKnown = role === 'HUMAN' || role === 'BOT' || role === 'SYSTEM';
  return isKnown ? { ...message, role } : { ...message, role, fallbackRole: 'HUMAN' };
}

/** A message as the turn that a format writes; nothing where messages are sent as they are. */
export function dialogueTurn(message: Turn, format: ModelFormat): Turn | undefined {
  if (format.type === 'chat') return undefined;
  const turn = turnOfMessage(message);
  const isSent = format.type === 'chat-template' && turn.role !== 'SYSTEM';
  return isSent ? undefined : turn;
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
