import { expandColumn } from './expand.ts';
import type { FieldNode, Node, ShotsNode } from './node.ts';
import { joinSpans, type Origin, type RowId, type Span } from './origin.ts';
import { traceParts } from './parts/trace-parts.ts';
import type { Glue, Line, MessagesPlan, TextPlan } from './plan.ts';
import { isInParts, type Message, type TracedMessage } from './prompt.ts';
import { nullValue } from './row-errors.ts';
import { formatValue, type Row } from './values.ts';

/** A row with its name, as traces refer to it. */
export interface NamedRow {
  readonly id: RowId;
  readonly row: Row;
}

/** A row that is asked about. */
export interface PositionedRow extends NamedRow {
  /** Counts the rows of the task from 0, after its range was taken; compat draws depend on it. */
  readonly position: number;
  /** The row as the data have it, where its options are asked about in another order. */
  readonly own?: Row | undefined;
}

/** The examples of one prompt, ready to insert. Each view is made once, when it is first asked for. */
export interface Shots {
  readonly rows: readonly NamedRow[];
  readonly text: string;
  readonly spans: readonly Span[];
  readonly messages: readonly Message[];
  readonly tracedMessages: readonly TracedMessage[];
}

const lineBreak: Span = /* @__PURE__ */ Object.freeze({
  text: '\n',
  origin: Object.freeze({ type: 'separator', name: 'line' } as const),
});

export function traceText(plan: TextPlan, named: NamedRow, shots: Shots | undefined): Span[] {
  return traceLines(plan.lines, named, shots);
}

export function traceLines(
  lines: readonly Line[],
  named: NamedRow,
  shots: Shots | undefined,
): Span[] {
  const spans: Span[] = [];
  let printed = false;
  for (const line of lines) {
    if (line.glue === '') {
      const start = spans.length;
      traceLine(line, named, shots, spans);
      printed = lines.length > 1 && hasText(spans, start);
      continue;
    }
    const own: Span[] = [];
    traceLine(line, named, shots, own);
    const prints = hasText(own, 0);
    if (prints && printed) addGlue(spans, own, line.glue);
    for (const span of own) spans.push(span);
    printed ||= prints;
  }
  return spans;
}

function hasText(spans: readonly Span[], start: number): boolean {
  for (let index = start; index < spans.length; index++) {
    const { text, media } = spans[index] as Span;
    if (text !== '' || media) return true;
  }
  return false;
}

/** Between two texts stands a line break; beside media a text is a part of its own. */
function addGlue(before: Span[], after: Span[], glue: Glue): void {
  const [first] = after;
  if (first && (before.some(isInParts) || after.some(isInParts))) {
    after[0] = { ...first, opensPart: true };
  } else if (glue === '\n') before.push(lineBreak);
}

function traceLine(line: Line, named: NamedRow, shots: Shots | undefined, spans: Span[]): void {
  if (line.inside === undefined) {
    traceNodes(line.nodes, named, shots, spans);
    return;
  }
  const tracedOf = (nodes: readonly Node[]) => {
    const traced: Span[] = [];
    traceNodes(nodes, named, shots, traced);
    return traced;
  };
  const { lead, begin, said, end } = line.inside;
  const own = tracedOf(line.nodes);
  const before = tracedOf(begin.nodes);
  const split = splitAfter(own, [...tracedOf(lead.nodes), ...before]) ?? splitAfter(own, before);
  const told = tracedOf(said.nodes);
  const all = split
    ? [...split.before, ...told, ...split.after]
    : [...before, ...told, ...tracedOf(end.nodes), ...own];
  for (const span of all) spans.push(span);
}

/** Spans that begin with others, cut after them: by their texts, or by their token ids if they have any. */
function splitAfter(spans: readonly Span[], start: readonly Span[]) {
  if (start.some(({ tokenIds }) => tokenIds)) {
    const isThere = start.every(
      ({ text, tokenIds }, index) =>
        spans[index]?.text === text && spans[index]?.tokenIds?.join() === tokenIds?.join(),
    );
    return isThere
      ? { before: spans.slice(0, start.length), after: spans.slice(start.length) }
      : undefined;
  }
  const text = joinSpans(start);
  if (!joinSpans(spans).startsWith(text)) return undefined;
  const before: Span[] = [];
  let left = text.length;
  let index = 0;
  for (; left > 0; index++) {
    const span = spans[index] as Span;
    before.push({ ...span, text: span.text.slice(0, left) });
    left -= span.text.length;
  }
  const cut = spans[index - 1];
  const rest = left < 0 && cut ? [{ ...cut, text: cut.text.slice(left) }] : [];
  return { before, after: [...rest, ...spans.slice(index)] };
}

function traceNodes(
  nodes: readonly Node[],
  named: NamedRow,
  shots: Shots | undefined,
  spans: Span[],
): void {
  for (const node of nodes) {
    if (node.type === 'text') spans.push(node.span);
    else if (node.type === 'field') spans.push(traceField(node, named));
    else if (node.type === 'shots') traceShots(node, shots, spans);
    else if (node.type === 'parts') for (const span of traceParts(node, named)) spans.push(span);
    else {
      for (const message of expandColumn(node, named.row)) {
        traceNodes(message.beginNodes, named, shots, spans);
        spans.push(expandedSpan(node.column, message.content, node.at, named));
        traceNodes(message.endNodes, named, shots, spans);
      }
    }
  }
}

function traceShots({ before }: ShotsNode, shots: Shots | undefined, spans: Span[]): void {
  if (shots === undefined || shots.spans.length === 0) return;
  if (before !== undefined) {
    spans.push({ text: before, origin: { type: 'separator', name: 'line' } });
  }
  for (const span of shots.spans) spans.push(span);
}

function traceField(node: FieldNode, { id, row }: NamedRow): Span {
  const value = row[node.name];
  if (value === undefined || (node.inherited && !Object.hasOwn(row, node.name)))
    return node.missing;
  if (value === null) throw nullValue(node.name);
  return {
    text: typeof value === 'string' ? value : formatValue(value),
    origin: { type: 'field', field: node.name, row: id, at: node.at },
  };
}

function expandedSpan(field: string, text: string, at: FieldNode['at'], { id }: NamedRow): Span {
  return { text, origin: { type: 'field', field, row: id, at } };
}

export function traceMessages(
  plan: MessagesPlan,
  named: NamedRow,
  shots: Shots | undefined,
): TracedMessage[] {
  const messages: TracedMessage[] = [];
  const merged = plan.merge ? '\n' : undefined;
  let glue: Glue;
  const add = (message: TracedMessage, next: Glue = merged) => {
    addTraced(messages, glue, message);
    glue = next;
  };
  for (const entry of plan.entries) {
    if (entry.type === 'message') {
      const spans = traceLines(entry.lines, named, shots);
      add({ role: entry.role, spans }, entry.isInside ? '' : merged);
    } else if (entry.type === 'shots') {
      for (const message of shots?.tracedMessages ?? []) add(message);
    } else {
      for (const message of expandColumn(entry.node, named.row)) {
        const spans: Span[] = [];
        traceNodes(message.beginNodes, named, shots, spans);
        spans.push(expandedSpan(entry.node.column, message.content, entry.node.at, named));
        traceNodes(message.endNodes, named, shots, spans);
        add({ role: message.role, spans });
      }
    }
  }
  return messages;
}

export function addTraced(messages: TracedMessage[], glue: Glue, message: TracedMessage): void {
  const last = messages.at(-1);
  if (glue === undefined || last === undefined || last.role !== message.role) {
    messages.push(message);
    return;
  }
  const before = [...last.spans];
  const after = [...message.spans];
  if (hasText(before, 0) && hasText(after, 0)) addGlue(before, after, glue);
  messages[messages.length - 1] = { role: last.role, spans: [...before, ...after] };
}

/** The same span as part of an example. */
export function spanInShot(span: Span, shot: number): Span {
  const { text, tokenIds } = span;
  const origin = originInShot(span.origin, shot);
  if (isInParts(span)) return { ...span, origin };
  return tokenIds === undefined ? { text, origin } : { text, origin, tokenIds };
}

/** Written out, because copying by spread costs more than everything else in a trace. */
function originInShot(origin: Origin, shot: number): Origin {
  switch (origin.type) {
    case 'literal':
      return { type: 'literal', at: origin.at, shot };
    case 'field':
      return { type: 'field', field: origin.field, row: origin.row, at: origin.at, shot };
    case 'role':
      return { type: 'role', role: origin.role, edge: origin.edge, at: origin.at, shot };
    case 'default':
      return { type: 'default', role: origin.role, at: origin.at, shot };
    case 'meta':
      return { type: 'meta', part: origin.part, at: origin.at, shot };
    case 'separator':
      return { type: 'separator', name: origin.name, shot };
    default:
      return origin;
  }
}

export function inShot(spans: readonly Span[], shot: number): Span[] {
  return spans.map((span) => spanInShot(span, shot));
}
