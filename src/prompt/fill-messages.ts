import { expandColumn } from './expand.ts';
import { fillLines } from './fill.ts';
import { joinContents } from './parts/content.ts';
import type { MessagesPlan } from './plan.ts';
import { type Message, untraceMessage } from './prompt.ts';
import type { Shots } from './shots.ts';
import { traceMessages } from './trace.ts';
import type { Row } from './values.ts';

export function fillMessages(plan: MessagesPlan, row: Row, shots: Shots | undefined): Message[] {
  if (plan.hasMedia) return traceMessages(plan, { id: '', row }, shots).map(untraceMessage);
  const messages: Message[] = [];
  for (const entry of plan.entries) {
    if (entry.type === 'message') {
      addMessage(messages, plan.merge, {
        role: entry.role,
        content: fillLines(entry.lines, row, shots),
      });
    } else if (entry.type === 'shots') {
      for (const message of shots?.messages ?? []) addMessage(messages, plan.merge, message);
    } else {
      for (const { role, begin, content, end } of expandColumn(entry.node, row)) {
        addMessage(messages, plan.merge, { role, content: begin + content + end });
      }
    }
  }
  return messages;
}

export function addMessage(messages: Message[], merge: boolean, message: Message): void {
  const last = messages.at(-1);
  if (!merge || last === undefined || last.role !== message.role) {
    messages.push(message);
    return;
  }
  messages[messages.length - 1] = {
    role: last.role,
    content: joinContents(last.content, message.content),
  };
}
