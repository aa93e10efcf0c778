import { DataError } from '../../errors.ts';
import type { Span } from '../origin.ts';
import type { Prompt, TracedPrompt } from '../prompt.ts';
import type { Modality } from './content.ts';
import { isTagged, type Segment, splitTagged } from './tagged-content.ts';

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

/** Tagged content as a text that marks where its media stand, and the media by their kinds. */
interface UntaggedContent {
  readonly text: string;
  readonly media: ReadonlyMap<Modality, readonly string[]>;
}

/**
 * Takes tagged content apart, for prompts that show it among other texts; nothing where it is not
 * tagged, or not well.
 *
 * @example
 * untag('<AIS_IMAGE_START>a.png<AIS_CONTENT_TAG><AIS_TEXT_START>What is it?')?.text
 * // '<image>\nWhat is it?'
 */
export function untag(value: unknown): UntaggedContent | undefined {
  const segments = isTagged(value) ? segmentsIn(value) : undefined;
  if (!segments) return undefined;
  const media = new Map<Modality, string[]>();
  const texts = segments.map(({ type, value }) => {
    if (type === 'text') return hideTags(value);
    media.set(type, [...(media.get(type) ?? []), value]);
    return `<${type}>`;
  });
  return { text: texts.join('\n'), media };
}

function segmentsIn(value: string): Segment[] | undefined {
  try {
    return splitTagged(value, '');
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}
