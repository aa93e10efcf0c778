import type { Row } from '../prompt/values.ts';

/** What a function of a tool is given beside its arguments. */
export interface ToolContext {
  /** The row that is asked about, as a copy. */
  readonly row: Row;
  readonly signal: AbortSignal;
}

/** Does what a tool is for. What it gives is shown to the model: a text, or the JSON of what it is. */
export type ToolFunction = (given: never, context: ToolContext) => unknown;

/** A tool that a model may call. */
export interface Tool {
  readonly name: string;
  readonly description?: string | undefined;
  /** The JSON Schema of its arguments. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Left out: a call of it is the end of the answer. */
  readonly run?: ToolFunction | undefined;
  /** Tells what it gives from what it gave earlier. */
  readonly version?: string | undefined;
}

/** Tools with functions, and how often a model may go on with what they give. */
export interface ToolLoop {
  readonly tools: readonly Tool[];
  /** The most requests for one answer. */
  readonly maxTurns: number;
  /** What tells the functions from others, as text. */
  readonly identity: string;
}
