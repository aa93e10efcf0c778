import {
  type Content,
  type ContentPart,
  type MediaPart,
  writeMedia,
} from '../prompt/parts/content.ts';
import type { Message, Prompt } from '../prompt/prompt.ts';
import { asObject } from './json-value.ts';

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
      : { type: part.type, source: await part.content.address(), form: part.form };
  const messages = prompt.messages.map(async (message) => {
    const { content } = message;
    if (typeof content === 'string') return message;
    return { ...message, content: await Promise.all(content.map(inline)) };
  });
  return { ...prompt, messages: await Promise.all(messages) };
}

/** How audio is sent; left out, as the prompt has it. */
export type AudioForm = 'audio_url' | 'input_audio';

/**
 * Messages in the form of OpenAI's chat API. Media that are known but not put in stand there by
 * their hash, so that requests can be told apart without reading them again.
 */
export function wireMessages(
  messages: readonly Message[],
  audio?: AudioForm | undefined,
): readonly unknown[] {
  if (!messages.some(isInParts)) return messages;
  return messages.map(({ role, content, ...said }) => ({
    role,
    content: wireContent(content, audio),
    ...said,
  }));
}

function wireContent(content: Content, audio: AudioForm | undefined): unknown {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part : wireMedia(part, audio)));
}

function wireMedia(part: MediaPart, audio: AudioForm | undefined): object {
  const { type, source, content } = part;
  const url = content ? `sha256:${content.sha256}` : source;
  const wanted = type === 'audio' ? (audio ?? audioFormOf(part)) : undefined;
  if (wanted === undefined) return writeMedia(part, url);
  const data = content ? { mediaType: content.mediaType, data: url } : splitDataUrl(source);
  // An address has no place in `input_audio`.
  return wanted === 'input_audio' && data
    ? writeMedia(asInputAudio(part, formatOf(data)), data.data)
    : writeMedia(asAudioUrl(part), url);
}

function audioFormOf({ form }: MediaPart): AudioForm {
  return form?.at[0] === 'input_audio' ? 'input_audio' : 'audio_url';
}

function asInputAudio(part: MediaPart, format: string): MediaPart {
  const { beside, inside } = fieldsOf(part);
  const written = { format, ...inside };
  return {
    ...part,
    form: {
      part: { type: 'input_audio', input_audio: { data: '', ...written }, ...beside },
      at: ['input_audio', 'data'],
    },
  };
}

function asAudioUrl(part: MediaPart): MediaPart {
  if (audioFormOf(part) === 'audio_url') return part;
  const { beside } = fieldsOf(part);
  const form = { part: { type: 'audio_url', audio_url: { url: '' }, ...beside } };
  return { ...part, form: { ...form, at: ['audio_url', 'url'] } };
}

/** Whether a part says more than its medium and what kind of one that is. */
export function hasFields(part: MediaPart): boolean {
  if (!part.form) return false;
  if (part.type !== 'audio') return true;
  const { beside, inside } = fieldsOf(part);
  return [...Object.keys(beside), ...Object.keys(inside)].some((key) => key !== 'format');
}

/** What an audio part says beside its medium. */
function fieldsOf({ form }: MediaPart) {
  const { type: _, audio_url, input_audio, ...beside } = form?.part ?? {};
  const { url: __, data: ___, ...inside } = asObject(audio_url ?? input_audio) ?? {};
  return { beside, inside };
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
