import type { PromptFunction } from '../prompt/prompt-function.ts';

/** Templates as a config spells them. */

/** What is put around the text of a role: a text, or texts and token ids. */
type AffixInput = string | readonly (string | number)[];

interface TurnInput {
  /** Who speaks. */
  readonly role: 'HUMAN' | 'BOT' | 'SYSTEM' | (string & {});
  /** The role for models that do not have the first one. */
  readonly fallback_role?: 'HUMAN' | 'BOT' | 'SYSTEM' | (string & {}) | undefined;
  readonly prompt?: string | undefined;
  /** A part for each modality. */
  readonly prompt_mm?: Readonly<Partial<Record<Modality, string | object>>> | undefined;
  readonly begin?: AffixInput | undefined;
  readonly end?: AffixInput | undefined;
  readonly generate?: boolean | undefined;
}

type Modality = 'text' | 'image' | 'audio' | 'video';
type ItemsInput = string | TurnInput | readonly (string | TurnInput)[];

interface DialogueInput {
  readonly begin?: ItemsInput | null | undefined;
  /** The turns; the mark of the examples may stand among them. */
  readonly round: readonly (string | TurnInput)[];
  readonly end?: ItemsInput | null | undefined;
}

type OneTemplate = string | DialogueInput;

/** A text, a dialogue, or one of them for each label; or a function that makes the prompt of a row. */
export type TemplateInput =
  | PromptFunction
  | OneTemplate
  | { readonly [label: string]: OneTemplate }
  | ReadonlyMap<unknown, OneTemplate>;

interface MessageInput {
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | 'developer';
  readonly content: string | readonly object[];
}

/** Messages in wire roles; a column may stand for several, and the mark of the examples for them. */
export type MessagesInput = readonly (MessageInput | { readonly expand_column: string } | string)[];
