import type { ChatTemplateInput } from '../prompt/conversation.ts';
import { throwRenderError } from './errors.ts';
import { normalizeSource } from './jinja/lexer.ts';
import { type Part, Rope, type Slot } from './jinja/text.ts';
import type { ChatTemplate } from './types.ts';

/** What the template's interpreter makes of a conversation. */
export function runTemplate(
  template: ChatTemplate,
  input: ChatTemplateInput<Readonly<Record<string, unknown>>>,
): readonly Part[] {
  const variables = {
    ...template.specialTokens,
    ...input.variables,
    messages: input.messages,
    add_generation_prompt: input.addGenerationPrompt,
    tools: input.tools ?? null,
    documents: input.documents ?? null,
  };
  return template.program.run({ variables, now: input.now ?? new Date() }, (error, offset) => {
    const text = { ...template, source: normalizeSource(template.source) };
    return throwRenderError(text, { error, offset });
  });
}

/** Runs the template so that the result tells which parts of it are contents of messages. */
export function runWithOrigins(
  template: ChatTemplate,
  input: ChatTemplateInput<Readonly<Record<string, unknown>>>,
  know: (content: string) => Pick<Slot, 'text' | 'answer'>,
): readonly Part[] {
  const messages = input.messages.map((message, index) => {
    const { content } = message;
    if (typeof content !== 'string') return message;
    const slot = { message: index, from: 0, trimStart: false, trimEnd: false };
    return { ...message, content: new Rope([{ ...slot, ...know(content) }]) };
  });
  return runTemplate(template, { ...input, messages });
}
