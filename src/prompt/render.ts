import { renderChatTemplate, traceChatTemplate } from './chat-template/index.ts';
import { fillText } from './fill.ts';
import { fillMessages } from './fill-messages.ts';
import type { PromptProgram } from './program.ts';
import { type Prompt, type TracedPrompt, untrace } from './prompt.ts';
import { ShotPool, type Shots } from './shots.ts';
import { type NamedRow, traceMessages, traceText } from './trace.ts';
import type { Row } from './values.ts';

/** The prompt for a row: exactly what is sent. */
export function fillPrompt(program: PromptProgram, row: Row, shots?: Shots): Prompt {
  const { plan, format } = program;
  if (plan.type === 'text') {
    if (plan.hasTokenIds) return untrace(tracePrompt(program, { id: '', row }, shots));
    return { type: 'text', text: fillText(plan, row, shots) };
  }
  const messages = fillMessages(plan, row, shots);
  if (format.type !== 'chat-template') return { type: 'messages', messages };
  return {
    type: 'text',
    text: renderChatTemplate(format.template, { messages, ...chatOptions(program) }),
  };
}

/** The same prompt with the origin of every character. */
export function tracePrompt(program: PromptProgram, named: NamedRow, shots?: Shots): TracedPrompt {
  const { plan, format } = program;
  if (plan.type === 'text') return { type: 'text', spans: traceText(plan, named, shots) };
  const messages = traceMessages(plan, named, shots);
  if (format.type !== 'chat-template') return { type: 'messages', messages };
  return {
    type: 'text',
    spans: traceChatTemplate(format.template, { messages, ...chatOptions(program) }),
  };
}

function chatOptions({ format, mode }: PromptProgram) {
  if (format.type !== 'chat-template') return { addGenerationPrompt: false };
  const { variables, tools, now } = format;
  return {
    addGenerationPrompt: mode === 'gen',
    ...(variables && { variables }),
    ...(tools && { tools }),
    ...(now && { now }),
  };
}

/** Rows from which examples are taken; each is rendered once. */
export function createShotPool(
  program: PromptProgram,
  rows: readonly NamedRow[],
): ShotPool | undefined {
  return program.shotStyle && new ShotPool(program.shotStyle, rows);
}
