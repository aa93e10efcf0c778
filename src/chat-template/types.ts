import type { ConversationWriter } from '../prompt/conversation.ts';
import type { Program } from './jinja/program.ts';

/** A chat template that was parsed and checked, with the special tokens it can print. */
export interface ChatTemplate extends ConversationWriter {
  readonly specialTokens: Readonly<Record<string, unknown>>;
  readonly file: string;
  readonly program: Program;
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
