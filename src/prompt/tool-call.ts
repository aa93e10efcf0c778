/** A call of a tool that a model asks for. */
export interface ToolCall {
  /** What the server names it by; an answer to it names it too. */
  readonly id?: string | undefined;
  readonly name: string;
  /** What the tool is called with: as JSON has it, or the text itself where that is no JSON. */
  readonly arguments: unknown;
}

/** The call as OpenAI's chat API writes it. */
export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}
