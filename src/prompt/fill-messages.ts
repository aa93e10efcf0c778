import { expandColumn } from './expand.ts';
import { fillLines } from './fill.ts';
import type { MessagesPlan } from './plan.ts';
import type { Message } from './prompt.ts';
import type { Shots } from './shots.ts';
import type { Row } from './values.ts';

export function fillMessages(plan: MessagesPlan, row: Row, shots: Shots | undefined): Message[] {
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
  const glue = last.content === '' || message.content === '' ? '' : '\n';
  messages[messages.length - 1] = {
    role: last.role,
    content: last.content + glue + message.content,
  };
}
