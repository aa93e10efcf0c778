import type { ChatTemplateInput, TracedChatMessage } from '../prompt/conversation.ts';
import { joinSpans, type Span } from '../prompt/origin.ts';
import { cutOpenSpans, markOpen } from './open-message.ts';
import { runWithOrigins } from './run-template.ts';
import { findParts, slotRange } from './skeleton.ts';
import type { ChatTemplate } from './types.ts';

/**
 * Renders a conversation and keeps the origin of every character. What the template took from a
 * message's content, even in parts, keeps the spans it had there; everything else is the chat
 * template's own.
 *
 * @example
 * const origin = { type: 'literal', at: { path: ['template'], start: 0 } } as const;
 * const messages = [{ role: 'user', spans: [{ text: 'Hi', origin }] }];
 * const template = loadChatTemplate('{{ messages[0].content }}</s>');
 * const spans = traceChatTemplate(template, { messages, addGenerationPrompt: false });
 * spans.map(({ text, origin }) => [text, origin.type]);
 * // [['Hi', 'literal'], ['</s>', 'chat-template']]
 */
export function traceChatTemplate(
  template: ChatTemplate,
  input: ChatTemplateInput<TracedChatMessage>,
): Span[] {
  const origin = { type: 'chat-template', name: template.name } as const;
  const given = markOpen(
    input,
    (message, mark): TracedChatMessage => ({
      ...message,
      spans: [...message.spans, { text: mark, origin }],
    }),
  );
  const messages = given.messages.map(plainMessage);
  const conversation = { ...given, messages };
  const parts =
    findParts(template, conversation) ??
    runWithOrigins(template, conversation, (text) => ({ text, answer: undefined }));
  const spans = parts.flatMap((part): Span[] => {
    if (typeof part === 'string') return [{ text: part, origin }];
    const range = slotRange(part, messages[part.message]?.content as string);
    return cutSpans(given.messages[part.message]?.spans ?? [], range);
  });
  return cutOpenSpans(spans, input);
}

function plainMessage(message: TracedChatMessage): Record<string, unknown> {
  const entries = Object.entries(message).map(([key, value]) =>
    key === 'spans' ? ['content', joinSpans(message.spans)] : [key, value],
  );
  return Object.fromEntries(entries);
}

/** The parts of spans that lie in a stretch of their text. Empty spans inside it are kept. */
function cutSpans(spans: readonly Span[], { start, end }: { start: number; end: number }): Span[] {
  const parts: Span[] = [];
  let position = 0;
  for (const span of spans) {
    const first = Math.max(start - position, 0);
    const last = Math.min(end - position, span.text.length);
    position += span.text.length;
    if (first < last) parts.push({ ...span, text: span.text.slice(first, last) });
    else if (span.text === '' && first === 0 && last === 0) parts.push(span);
  }
  return parts;
}
