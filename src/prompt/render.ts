import { fillMessages, fillText } from './fill.ts';
import { type MessagesPlan, programFor } from './plan.ts';
import type { PromptProgram } from './program.ts';
import {
  type Message,
  type MessagesPrompt,
  type Prompt,
  type TracedPrompt,
  untrace,
  untraceMessage,
} from './prompt.ts';
import { ShotPool } from './shots.ts';
import { type NamedRow, type Shots, traceMessages, traceText } from './trace.ts';
import type { Row } from './values.ts';

/**
 * The prompt for a row: exactly what is sent.
 *
 * @example
 * const promptTemplate = { template: 'Q: {q}\nA: {a}' };
 * const program = compilePrompt({ promptTemplate, outputColumn: 'a' });
 * fillPrompt(program, { q: '1+1?', a: '2' }); // { type: 'text', text: 'Q: 1+1?\nA:' }
 */
export function fillPrompt(compiled: PromptProgram, row: Row, shots?: Shots): Prompt {
  const program = programFor(compiled, row, shots);
  const { plan, format } = program;
  if (plan.type === 'text') {
    if (plan.hasTokenIds) return untrace(tracePrompt(program, { id: '', row }, shots));
    const text = fillText(plan, row, shots);
    return plan.answerPrefix === undefined
      ? { type: 'text', text }
      : { type: 'text', text, answerPrefix: plan.answerPrefix };
  }
  const messages = fillMessages(plan, row, shots);
  if (format.type !== 'chat-template') {
    return { type: 'messages', messages, ...answerStart(plan, messages) };
  }
  const text = format.template.render({ messages, ...chatOptions(program) });
  const { answerPrefix } = answerStart(plan, messages);
  return answerPrefix === undefined ? { type: 'text', text } : { type: 'text', text, answerPrefix };
}

/** What a prompt of messages says of the answer: whether it ends with its beginning, and with which. */
function answerStart(
  { isOpen, answerPrefix }: MessagesPlan,
  messages: readonly Message[],
): Pick<MessagesPrompt, 'isOpen' | 'answerPrefix'> {
  const last = isOpen ? messages.at(-1)?.content : undefined;
  const prefix = answerPrefix ?? (typeof last === 'string' ? last : undefined);
  return {
    ...(isOpen && { isOpen }),
    ...(prefix !== undefined && { answerPrefix: prefix }),
  };
}

/**
 * The same prompt with the origin of every character.
 *
 * @example
 * const program = compilePrompt({ promptTemplate: { template: 'Q: {q}' } });
 * const traced = tracePrompt(program, { id: 0, row: { q: '1+1?' } });
 * traced.type === 'text' && traced.spans.map(({ text, origin }) => [text, origin.type]);
 * // [['Q: ', 'literal'], ['1+1?', 'field']]
 */
export function tracePrompt(compiled: PromptProgram, named: NamedRow, shots?: Shots): TracedPrompt {
  const program = programFor(compiled, named.row, shots);
  const { plan, format } = program;
  if (plan.type === 'text') {
    const { answerPrefix } = plan;
    const spans = traceText(plan, named, shots);
    return { type: 'text', spans, ...(answerPrefix !== undefined && { answerPrefix }) };
  }
  const messages = traceMessages(plan, named, shots);
  const start = answerStart(plan, messages.slice(-1).map(untraceMessage));
  if (format.type !== 'chat-template') return { type: 'messages', messages, ...start };
  const spans = format.template.trace({ messages, ...chatOptions(program) });
  const { answerPrefix } = start;
  return { type: 'text', spans, ...(answerPrefix !== undefined && { answerPrefix }) };
}

function chatOptions({ format, mode, plan }: PromptProgram) {
  if (format.type !== 'chat-template') return { addGenerationPrompt: false };
  const { variables, tools, now } = format;
  const isOpen = plan.type === 'messages' && plan.isOpen === true;
  return {
    addGenerationPrompt: mode === 'gen',
    ...(isOpen && { isOpen }),
    ...(variables && { variables }),
    ...(tools && { tools }),
    ...(now && { now }),
  };
}

/**
 * A pool of rows to take examples from; each is rendered once.
 *
 * @example
 * const template = { template: '</E>{q} {a}', ice_token: '</E>' };
 * const program = compilePrompt({ iceTemplate: template, hasShots: true, outputColumn: 'a' });
 * const shots = createShotPool(program, [{ id: 0, row: { q: '1+1?', a: '2' } }])?.take([0]);
 * fillPrompt(program, { q: '2+2?', a: '4' }, shots); // { type: 'text', text: '1+1? 2\n2+2?' }
 */
export function createShotPool(
  program: PromptProgram,
  rows: readonly NamedRow[],
): ShotPool | undefined {
  return program.shotStyle && new ShotPool(program.shotStyle, rows);
}
