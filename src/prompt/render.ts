import { fillMessages, fillText } from './fill.ts';
import type { PromptProgram } from './program.ts';
import { type Prompt, type TracedPrompt, untrace } from './prompt.ts';
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
export function fillPrompt(program: PromptProgram, row: Row, shots?: Shots): Prompt {
  const { plan, format } = program;
  if (plan.type === 'text') {
    if (plan.hasTokenIds) return untrace(tracePrompt(program, { id: '', row }, shots));
    return { type: 'text', text: fillText(plan, row, shots) };
  }
  const messages = fillMessages(plan, row, shots);
  if (format.type !== 'chat-template') return { type: 'messages', messages };
  return { type: 'text', text: format.template.render({ messages, ...chatOptions(program) }) };
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
export function tracePrompt(program: PromptProgram, named: NamedRow, shots?: Shots): TracedPrompt {
  const { plan, format } = program;
  if (plan.type === 'text') return { type: 'text', spans: traceText(plan, named, shots) };
  const messages = traceMessages(plan, named, shots);
  if (format.type !== 'chat-template') return { type: 'messages', messages };
  return { type: 'text', spans: format.template.trace({ messages, ...chatOptions(program) }) };
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

/**
 * Rows from which examples are taken; each is rendered once.
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
