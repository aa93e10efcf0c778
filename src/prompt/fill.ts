import { expandColumn } from './expand.ts';
import type { ExpandNode, FieldNode, ShotsNode } from './node.ts';
import { joinContents } from './parts/content.ts';
import type { Glue, Inside, Line, MessagesPlan, Part, TextPlan } from './plan.ts';
import { type Message, untraceMessage } from './prompt.ts';
import { nullValue } from './row-errors.ts';
import { type Shots, traceMessages } from './trace.ts';
import { formatValue, type Row } from './values.ts';

export function fillText(plan: TextPlan, row: Row, shots: Shots | undefined): string {
  return fillLines(plan.lines, row, shots);
}

/** Fills lines in one pass: a value is text, whatever it looks like. */
export function fillLines(lines: readonly Line[], row: Row, shots: Shots | undefined): string {
  const first = lines[0];
  if (lines.length === 1 && first) return fillLine(first, row, shots);
  let text = '';
  let printed = false;
  for (const line of lines) {
    const filled = fillLine(line, row, shots);
    if (line.glue === '') {
      text += filled;
      printed = filled !== '';
    } else if (filled !== '') {
      text += printed ? line.glue + filled : filled;
      printed = true;
    }
  }
  return text;
}

function fillLine(line: Line, row: Row, shots: Shots | undefined): string {
  const { parts } = line;
  let text = '';
  // An indexed loop: this is the innermost loop of the whole tool.
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as Part;
    if (typeof part === 'string') text += part;
    else if (part.type === 'field') text += fillField(part, row);
    else if (part.type === 'shots') text += fillShots(part, shots);
    else if (part.type === 'expand')
      for (const { begin, content, end } of expandColumn(part, row)) text += begin + content + end;
  }
  return line.inside === undefined ? text : fillInside(line.inside, text, row, shots);
}

function fillShots({ before }: ShotsNode, shots: Shots | undefined): string {
  if (shots === undefined || shots.text === '') return '';
  return before === undefined ? shots.text : before + shots.text;
}

function fillInside(inside: Inside, text: string, row: Row, shots: Shots | undefined): string {
  const begin = fillLine(inside.begin, row, shots);
  const said = fillLine(inside.said, row, shots);
  const lead = fillLine(inside.lead, row, shots);
  for (const start of [lead + begin, begin]) {
    if (text.startsWith(start)) return start + said + text.slice(start.length);
  }
  return begin + said + fillLine(inside.end, row, shots) + text;
}

export function fillField(node: FieldNode, row: Row): string {
  const value = row[node.name];
  if (typeof value === 'string' && !node.inherited) return value;
  if (value === undefined || (node.inherited && !Object.hasOwn(row, node.name))) {
    return node.missing.text;
  }
  if (value === null) throw nullValue(node.name);
  return formatValue(value);
}

export function fillMessages(plan: MessagesPlan, row: Row, shots: Shots | undefined): Message[] {
  if (plan.hasMedia) return traceMessages(plan, { id: '', row }, shots).map(untraceMessage);
  const messages: Message[] = [];
  const merged = plan.merge ? '\n' : undefined;
  let glue: Glue;
  for (const entry of plan.entries) {
    if (entry.type === 'message') {
      const content = fillLines(entry.lines, row, shots);
      addMessage(messages, glue, { role: entry.role, content });
      glue = entry.isInside ? '' : merged;
      continue;
    }
    const added =
      entry.type === 'shots' ? (shots?.messages ?? []) : expandedMessages(entry.node, row);
    for (const message of added) {
      addMessage(messages, glue, message);
      glue = merged;
    }
  }
  return messages;
}

function expandedMessages(node: ExpandNode, row: Row): Message[] {
  return expandColumn(node, row).map(({ role, begin, content, end }) => ({
    role,
    content: begin + content + end,
  }));
}

export function addMessage(messages: Message[], glue: Glue, message: Message): void {
  const last = messages.at(-1);
  if (glue === undefined || last === undefined || last.role !== message.role) {
    messages.push(message);
    return;
  }
  messages[messages.length - 1] = {
    role: last.role,
    content: joinContents(last.content, message.content, glue),
  };
}
