import type { Content, ContentPart, MediaPart } from '../prompt/parts/content.ts';
import type { Message, Prompt } from '../prompt/prompt.ts';

/** Whether a prompt shows media, or says its text in parts. */
export function hasParts(prompt: Prompt): boolean {
  return prompt.type === 'messages' && prompt.messages.some(isInParts);
}

function isInParts({ content }: Message): boolean {
  return typeof content !== 'string';
}

/** The prompt with its media in place of what is known of them. */
export async function inlineMedia(prompt: Prompt): Promise<Prompt> {
  if (prompt.type === 'text') return prompt;
  const inline = async (part: ContentPart): Promise<ContentPart> =>
    part.type === 'text' || !part.content
      ? part
      : { type: part.type, source: await part.content.address() };
  const messages = prompt.messages.map(async ({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : await Promise.all(content.map(inline)),
  }));
  return { type: 'messages', messages: await Promise.all(messages) };
}

/**
 * Messages in the form of OpenAI's chat API. Media that are known but not put in stand there by
 * their hash, so that requests can be told apart without reading them again.
 */
export function wireMessages(messages: readonly Message[]): readonly unknown[] {
  if (!messages.some(isInParts)) return messages;
  return messages.map(({ role, content }) => ({ role, content: wireContent(content) }));
}

function wireContent(content: Content): unknown {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part : wireMedia(part)));
}

function wireMedia({ type, source, content }: MediaPart): object {
  const url = content ? `sha256:${content.sha256}` : source;
  const data = content ? { mediaType: content.mediaType, data: url } : splitDataUrl(source);
  if (type === 'audio' && data) {
    return { type: 'input_audio', input_audio: { data: data.data, format: formatOf(data) } };
  }
  return { type: `${type}_url`, [`${type}_url`]: { url } };
}

/** What a data URL holds. */
export function splitDataUrl(url: string): { mediaType: string; data: string } | undefined {
  const found = /^data:([^;,]*);base64,/.exec(url);
  return found ? { mediaType: found[1] ?? '', data: url.slice(found[0].length) } : undefined;
}

const formats: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
};

function formatOf({ mediaType }: { mediaType: string }): string {
  return formats[mediaType] ?? mediaType.slice(mediaType.indexOf('/') + 1);
}
