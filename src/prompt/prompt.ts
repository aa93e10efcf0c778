import { joinSpans, type Span } from './origin.ts';

/** A prompt as it is sent: one text, or messages in wire roles (`system`, `user`, `assistant` …). */
export type Prompt = TextPrompt | MessagesPrompt;

export interface TextPrompt {
  readonly type: 'text';
  readonly text: string;
  /** Present when the format contains token ids: text and ids in order. */
  readonly pieces?: readonly (string | readonly number[])[];
}

export interface MessagesPrompt {
  readonly type: 'messages';
  readonly messages: readonly Message[];
}

export interface Message {
  readonly role: string;
  readonly content: string;
}

/** The same prompt with the origin of every character. */
export type TracedPrompt = TracedText | TracedMessages;

export interface TracedText {
  readonly type: 'text';
  readonly spans: readonly Span[];
}

export interface TracedMessages {
  readonly type: 'messages';
  readonly messages: readonly TracedMessage[];
}

export interface TracedMessage {
  readonly role: string;
  readonly spans: readonly Span[];
}

/** The prompt that a traced prompt stands for: its spans joined. */
export function untrace(traced: TracedPrompt): Prompt {
  if (traced.type === 'messages') {
    return {
      type: 'messages',
      messages: traced.messages.map(({ role, spans }) => ({ role, content: joinSpans(spans) })),
    };
  }
  const text = joinSpans(traced.spans);
  if (!traced.spans.some((span) => span.tokenIds)) return { type: 'text', text };
  const pieces: (string | readonly number[])[] = [];
  for (const span of traced.spans) {
    const last = pieces.length - 1;
    if (span.tokenIds) pieces.push(span.tokenIds);
    else if (typeof pieces[last] === 'string') pieces[last] += span.text;
    else if (span.text !== '') pieces.push(span.text);
  }
  return { type: 'text', text, pieces };
}
