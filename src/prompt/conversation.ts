import type { Span } from './origin.ts';
import type { Message, TracedMessage } from './prompt.ts';

/** Writes a conversation as one text, as a model's own chat template does. */
export interface ConversationWriter {
  readonly name: string;
  /** The template's text, for hashing and showing. */
  readonly source: string;
  render(input: ChatTemplateInput): string;
  trace(input: ChatTemplateInput<TracedChatMessage>): Span[];
  /** Whether it writes a system message, and does not refuse it or leave it out. */
  takesSystem(options: Pick<ChatTemplateInput, 'variables' | 'tools' | 'now'>): boolean;
}

/** A message as templates see it; keys such as `tool_calls` are passed on as they are. */
export type ChatTemplateMessage = Message | Readonly<Record<string, unknown>>;

/** A message whose content is given by its spans. */
export type TracedChatMessage =
  | TracedMessage
  | (Readonly<Record<string, unknown>> & { readonly spans: readonly Span[] });

export interface ChatTemplateInput<M = ChatTemplateMessage> {
  readonly messages: readonly M[];
  /** Whether the text ends with the start of an answer. */
  readonly addGenerationPrompt: boolean;
  /** Whether the last message is the beginning of the answer: the text then ends where it does. */
  readonly isOpen?: boolean | undefined;
  readonly tools?: readonly unknown[] | undefined;
  readonly documents?: readonly unknown[] | undefined;
  /** Variables that some templates know, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** The time that `strftime_now` tells, in the local time zone; the present by default. */
  readonly now?: Date | undefined;
}
