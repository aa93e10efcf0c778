import type { Span } from '../origin.ts';
import type { Prompt, TracedPrompt } from '../prompt.ts';

/** A code point that no text may hold, for use inside a program alone. */
const mark = '\uFDD0';

/** A text in which nothing marks a medium, or is read as tagged content, until it is shown again. */
export function hideTags(text: string): string {
  return text.replace(/<(?=(?:image|audio|video)>|AIS_)/g, `<${mark}`);
}

/** The text as it was written. */
export function showTags(text: string): string {
  return text.replaceAll(mark, '');
}

/** A prompt with its texts as they were written. */
export function showPromptTags<Made extends Prompt>(prompt: Made): Made {
  if (prompt.type === 'text') {
    if (!prompt.text.includes(mark)) return prompt;
    const pieces = prompt.pieces?.map((one) => (typeof one === 'string' ? showTags(one) : one));
    return { ...prompt, text: showTags(prompt.text), ...(pieces && { pieces }) };
  }
  const messages = prompt.messages.map(({ role, content }) => ({
    role,
    content:
      typeof content === 'string'
        ? showTags(content)
        : content.map((part) =>
            part.type === 'text' ? { ...part, text: showTags(part.text) } : part,
          ),
  }));
  return { ...prompt, messages };
}

/** The same of a prompt with origins. */
export function showTracedTags(traced: TracedPrompt): TracedPrompt {
  const show = (spans: readonly Span[]) =>
    spans.map((span) => ({ ...span, text: showTags(span.text) }));
  if (traced.type === 'text') return { ...traced, spans: show(traced.spans) };
  const messages = traced.messages.map((message) => ({ ...message, spans: show(message.spans) }));
  return { ...traced, messages };
}
