import { joinSpans, type Span } from './origin.ts';
import type { Content, ContentPart } from './parts/content.ts';
import type { WireToolCall } from './tool-call.ts';

/** A prompt as it is sent: one text, or messages in wire roles (`system`, `user`, `assistant` …). */
export type Prompt = TextPrompt | MessagesPrompt;

export interface TextPrompt {
  readonly type: 'text';
  readonly text: string;
  /** Present when the format contains token ids: text and ids in order. */
  readonly pieces?: readonly (string | readonly number[])[];
  readonly answerPrefix?: AnswerPrefix;
}

export interface MessagesPrompt {
  readonly type: 'messages';
  readonly messages: readonly Message[];
  /** The last message is the beginning of the answer: the model is to go on with it. */
  readonly isOpen?: true;
  readonly answerPrefix?: AnswerPrefix;
}

/** What the template has the answer begin with. An answer may repeat it; that part is not answered. */
type AnswerPrefix = string | undefined;

export interface Message {
  readonly role: string;
  readonly content: Content;
  /** Of an assistant that called tools, as it is sent. */
  readonly tool_calls?: readonly WireToolCall[];
  /** Of what a tool gave: the call that it belongs to. */
  readonly tool_call_id?: string;
}

/** The same prompt with the origin of every character. */
export type TracedPrompt = TracedText | TracedMessages;

export interface TracedText extends Pick<TextPrompt, 'answerPrefix'> {
  readonly type: 'text';
  readonly spans: readonly Span[];
}

export interface TracedMessages extends Pick<MessagesPrompt, 'isOpen' | 'answerPrefix'> {
  readonly type: 'messages';
  readonly messages: readonly TracedMessage[];
}

export interface TracedMessage {
  readonly role: string;
  readonly spans: readonly Span[];
}

/**
 * The plain prompt of a traced prompt: its spans joined.
 *
 * @example
 * const program = compilePrompt({ promptTemplate: { template: 'Q: {q}' } });
 * untrace(tracePrompt(program, { id: 0, row: { q: '1+1?' } }));
 * // { type: 'text', text: 'Q: 1+1?' }
 */
export function untrace(traced: TracedPrompt): Prompt {
  const { answerPrefix } = traced;
  const start = answerPrefix === undefined ? {} : { answerPrefix };
  if (traced.type === 'messages') {
    return {
      type: 'messages',
      messages: traced.messages.map(untraceMessage),
      ...(traced.isOpen && { isOpen: true }),
      ...start,
    };
  }
  const text = joinSpans(traced.spans);
  if (!traced.spans.some((span) => span.tokenIds)) return { type: 'text', text, ...start };
  const pieces: (string | readonly number[])[] = [];
  for (const span of traced.spans) {
    const last = pieces.length - 1;
    if (span.tokenIds) pieces.push(span.tokenIds);
    else if (typeof pieces[last] === 'string') pieces[last] += span.text;
    else if (span.text !== '') pieces.push(span.text);
  }
  return { type: 'text', text, pieces, ...start };
}

export function untraceMessage({ role, spans }: TracedMessage): Message {
  return { role, content: contentOf(spans) };
}

/** What spans say: text, or content parts where there are media. */
export function contentOf(spans: readonly Span[]): Content {
  if (!spans.some(isInParts)) return joinSpans(spans);
  const parts: ContentPart[] = [];
  for (const { text, media, opensPart } of spans) {
    const last = parts.at(-1);
    if (media) parts.push(media);
    else if (last?.type === 'text' && !opensPart) {
      parts[parts.length - 1] = { type: 'text', text: last.text + text };
    } else parts.push({ type: 'text', text });
  }
  return parts.filter((part) => part.type !== 'text' || part.text !== '');
}

export function isInParts({ media, opensPart }: Span): boolean {
  return media !== undefined || opensPart === true;
}
