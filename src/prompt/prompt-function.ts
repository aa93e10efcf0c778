import type { Row } from './values.ts';

/** What a function that makes prompts is given: copies, without the right answer to the row. */
export interface PromptInput {
  readonly row: Row;
  /** The examples that the retriever chose, with their answers. */
  readonly examples: readonly Row[];
}

/** A message that a prompt function gives. */
export interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

/** Makes the prompt of a row, at once or later: one text, or messages in wire roles. */
export type PromptFunction = (
  input: PromptInput,
) => string | readonly PromptMessage[] | Promise<string | readonly PromptMessage[]>;
