import { jsonBytes } from '../base/text-bytes.ts';
import { ConfigError } from '../errors.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { ConnectionSettings } from './connection.ts';
import { type AudioForm, hasParts, wireMessages } from './media.ts';
import type { GenerateRequest } from './model.ts';

/** A model behind an OpenAI-compatible endpoint. */
export interface EndpointSettings extends Pick<ConnectionSettings, 'baseUrl' | 'source'> {
  readonly takes: 'text' | 'messages';
  readonly model: string;
  readonly maxOutLen?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  /** Put into the body as they are; they win over everything else. */
  readonly generationKwargs?: Readonly<Record<string, unknown>> | undefined;
  /** Asks for the answer in pieces, as it is written. */
  readonly stream?: boolean | undefined;
  readonly audio?: AudioForm | undefined;
  readonly prefill?: Prefill | undefined;
}

/**
 * How a chat server goes on with the beginning of an answer: `continue_final_message` is told to, as
 * vLLM and SGLang are; `last_message` does so by itself wherever the assistant speaks last.
 */
export type Prefill = (typeof prefills)[number];
export const prefills = ['continue_final_message', 'last_message'] as const;

/** How a server goes on with the beginning of an answer: as the config says, or what is sent with every request. */
export function prefillOf({
  prefill,
  generationKwargs,
}: Pick<EndpointSettings, 'prefill' | 'generationKwargs'>): Prefill | undefined {
  const isTold = generationKwargs?.continue_final_message === true;
  return prefill ?? (isTold ? 'continue_final_message' : undefined);
}

export type RequestBody = Readonly<Record<string, unknown>>;

/** Turns text into token ids, without special tokens of its own. */
export interface Encode {
  (text: string): readonly number[];
  /** What the tokenizer puts before every text where it is asked to; empty if nothing. */
  readonly beginning?: string | undefined;
}

/** The body of a request that asks a model to answer a prompt. */
export function generationBody(
  endpoint: EndpointSettings,
  prompt: Prompt,
  encode?: Encode,
): RequestBody {
  const { model, maxOutLen, stop, stream, generationKwargs } = endpoint;
  const namesLimit = generationKwargs?.max_completion_tokens !== undefined;
  // One by one: this runs for every row, and spreads of what is not there would be felt.
  const body: Record<string, unknown> = { model, ...promptBody(endpoint, prompt, encode) };
  if (maxOutLen !== undefined && !namesLimit) body.max_tokens = maxOutLen;
  if (stop && stop.length > 0) body.stop = stop;
  if (stream) Object.assign(body, { stream, stream_options: { include_usage: true } });
  return generationKwargs ? Object.assign(body, generationKwargs) : body;
}

/** The endpoint with what a single request wants otherwise. */
export function endpointFor(
  endpoint: EndpointSettings,
  { maxOutLen, stop, settings, seed }: GenerateRequest,
): EndpointSettings {
  if (!settings && !stop && maxOutLen === undefined && seed === undefined) return endpoint;
  return {
    ...endpoint,
    maxOutLen: maxOutLen ?? endpoint.maxOutLen,
    stop: stop ?? endpoint.stop,
    generationKwargs: {
      ...endpoint.generationKwargs,
      ...settings,
      ...(seed !== undefined && { seed }),
    },
  };
}

function promptBody(endpoint: EndpointSettings, prompt: Prompt, encode: Encode | undefined) {
  if (prompt.type === 'messages') {
    const messages = wireMessages(prompt.messages, endpoint.audio);
    const isContinued = prompt.isOpen && prefillOf(endpoint) === 'continue_final_message';
    return isContinued
      ? { messages, add_generation_prompt: false, continue_final_message: true }
      : { messages };
  }
  if (endpoint.takes === 'messages') return { messages: [{ role: 'user', content: prompt.text }] };
  if (!prompt.pieces) return { prompt: prompt.text };
  if (!encode) {
    throw new ConfigError(
      'model.tokenizer_needed',
      'the meta template contains token ids, so the prompt must be sent as token ids',
      { path: endpoint.source, hint: 'Give the model a `tokenizer: path/to/tokenizer.json`.' },
    );
  }
  return {
    prompt: prompt.pieces.flatMap((piece) => (typeof piece === 'string' ? encode(piece) : piece)),
  };
}

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
  if (lengthOf(request.prompt) < longPrompt || hasParts(request.prompt)) return undefined;
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
