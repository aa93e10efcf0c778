import { createParser, type EventSourceMessage } from 'eventsource-parser';
import {
  firstChoice,
  joinToolCalls,
  readFacts,
  readFinishReason,
  readReasoning,
  readText,
  readToolCalls,
  readUsage,
  reportedIn,
} from './answer.ts';
import {
  garbledAnswer,
  reportedError,
  unfinishedAnswer,
  unreadableAnswer,
} from './answer-errors.ts';
import type { Endpoint } from './http-errors.ts';
import { asObject, type JsonObject, parseJson } from './json-value.ts';
import type { Answer } from './model.ts';
import type { Usage } from './usage.ts';

/** What pieces tell together: the later one counts. */
function addTold(before: Usage | undefined, usage: Usage | undefined): Usage | undefined {
  if (!before || !usage) return usage ?? before;
  return {
    inputTokens: usage.inputTokens ?? before.inputTokens,
    outputTokens: usage.outputTokens ?? before.outputTokens,
    cachedTokens: usage.cachedTokens ?? before.cachedTokens,
  };
}

/** Puts an answer together from the events of a stream. */
export class StreamedAnswer {
  readonly #endpoint: Endpoint;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #parser = createParser({ onEvent: (event) => this.#take(event) });
  #first: JsonObject = {};
  #text = '';
  #reasoning: string | undefined;
  #toolCalls: unknown[] = [];
  #finishReason: unknown;
  #usage: Usage | undefined;
  #isDone = false;
  /** Whether any piece said something, if only that it is empty. */
  #hasBegun = false;
  #firstTokenAt: number | undefined;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Whether the server has said that nothing more will come. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** When the first piece of text came, on the clock of `performance.now()`. */
  get firstTokenAt(): number | undefined {
    return this.#firstTokenAt;
  }

  push(chunk: Buffer): void {
    this.#feed(chunk);
  }

  /** The answer, once the stream has ended. */
  end(): Answer {
    this.#feed();
    this.#parser.feed('\n\n');
    if (this.#finishReason === undefined && !(this.#isDone && this.#hasBegun)) {
      throw unfinishedAnswer(this.#endpoint);
    }
    const toolCalls = joinToolCalls(this.#toolCalls);
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      finishReason: readFinishReason(this.#finishReason),
      toolCalls: readToolCalls(toolCalls),
      usage: this.#usage,
      raw: readFacts(this.#first, toolCalls),
    };
  }

  #feed(chunk?: Buffer): void {
    let text: string;
    try {
      text = this.#decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw garbledAnswer(this.#endpoint);
    }
    this.#parser.feed(text);
  }

  #take({ event, data }: EventSourceMessage): void {
    if (this.#isDone) return;
    if (data === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const piece = asObject(parseJson(data));
    const error = reportedIn(piece) ?? (event === 'error' ? (piece ?? data) : undefined);
    if (error) throw reportedError(this.#endpoint, error);
    if (!piece) throw unreadableAnswer(this.#endpoint, data);
    if (this.#first.id === undefined) this.#first = piece;
    this.#usage = addTold(this.#usage, readUsage(piece.usage));
    const choice = firstChoice(piece);
    if (choice) this.#takeChoice(choice);
  }

  #takeChoice(choice: JsonObject): void {
    const delta = asObject(choice.delta) ?? choice;
    const text = readText(delta);
    if (text === undefined) throw unreadableAnswer(this.#endpoint, JSON.stringify({ choice }));
    const reasoning = readReasoning(delta);
    this.#hasBegun ||= Object.keys(delta).length > 0;
    if (text || reasoning) this.#firstTokenAt ??= performance.now();
    this.#text += text;
    if (reasoning !== undefined) this.#reasoning = (this.#reasoning ?? '') + reasoning;
    if (Array.isArray(delta.tool_calls)) this.#toolCalls.push(...delta.tool_calls);
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
  }
}
