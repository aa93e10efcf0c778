import type { Span } from '../origin.ts';
import type { Message, TracedMessage } from '../prompt.ts';
import type { Program } from './jinja/program.ts';

/** A chat template that was parsed and checked, with the special tokens it can print. */
export interface ChatTemplate {
  readonly name: string;
  /** The template's text, for hashing and showing. */
  readonly source: string;
  readonly specialTokens: Readonly<Record<string, unknown>>;
  readonly file: string;
  readonly program: Program;
  /** {@link renderChatTemplate} and {@link traceChatTemplate}, for callers that do not load them. */
  render(input: ChatTemplateInput): string;
  trace(input: ChatTemplateInput<TracedChatMessage>): Span[];
}

/** The part of `tokenizer_config.json` that concerns chat templates. Other keys are ignored. */
export interface TokenizerConfig {
  readonly chat_template?: string | readonly NamedTemplate[] | null | undefined;
  readonly [key: string]: unknown;
}

export interface NamedTemplate {
  readonly name: string;
  readonly template: string;
}

export interface LoadOptions {
  /** Which of several templates to take; otherwise `tool_use` for tools, or `default`. */
  readonly name?: string;
  /** Whether tools will be passed. */
  readonly tools?: boolean;
  /** Where the template was read from, for error messages. */
  readonly file?: string;
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
  readonly tools?: readonly unknown[] | undefined;
  readonly documents?: readonly unknown[] | undefined;
  /** Variables that some templates know, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** The time that `strftime_now` tells, in the local time zone; the present by default. */
  readonly now?: Date | undefined;
}
