import type { Prompt } from '../prompt/prompt.ts';
import { jsonBytes } from './json-bytes.ts';
import { hasParts } from './media.ts';
import type { GenerateRequest } from './model.ts';
import { type Encode, type EndpointSettings, endpointFor, generationBody } from './request-body.ts';

interface BodySettings extends EndpointSettings {
  readonly encode?: Encode | undefined;
}

/** What is sent for a request. */
export function writeBody(settings: BodySettings, request: GenerateRequest): string {
  const endpoint = endpointFor(settings, request);
  return JSON.stringify(generationBody(endpoint, request.prompt, settings.encode));
}

/** In UTF-16 units: what is shorter is had sooner as text. */
const longPrompt = 2048;
const longText = 512;
/** Stands for a long text; should it be one of the others, the body is written as a whole. */
const mark = '\u007F long text \u007F';
const writtenMark = JSON.stringify(mark);

/** The same as bytes, where the prompt is long. Media are put into a body when it is sent. */
export function writeLongBody(
  settings: BodySettings,
  request: GenerateRequest,
): Buffer | undefined {
  if (hasParts(request.prompt) || lengthOf(request.prompt) < longPrompt) return undefined;
  const { prompt, texts } = takeLongTexts(request.prompt);
  const pieces = writeBody(settings, { ...request, prompt }).split(writtenMark);
  const bytes = pieces.length === texts.length + 1 ? jsonBytes(pieces, texts) : undefined;
  return bytes ?? Buffer.from(writeBody(settings, request));
}

function lengthOf(prompt: Prompt): number {
  if (prompt.type === 'text') return prompt.text.length;
  return prompt.messages.reduce((sum, { content }) => sum + content.length, 0);
}

/** A prompt with marks for its long texts, and these. */
function takeLongTexts(prompt: Prompt): { readonly prompt: Prompt; readonly texts: string[] } {
  if (prompt.type === 'text') return { prompt: { ...prompt, text: mark }, texts: [prompt.text] };
  const texts: string[] = [];
  const messages = prompt.messages.map((message) => {
    const { content } = message;
    if (typeof content !== 'string' || content.length < longText) return message;
    texts.push(content);
    return { ...message, content: mark };
  });
  return { prompt: { ...prompt, messages }, texts };
}
