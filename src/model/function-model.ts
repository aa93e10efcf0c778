import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { contentHash } from '../base/content-hash.ts';
import { displayPath } from '../base/display-path.ts';
import { thrownPlace } from '../base/thrown-place.ts';
import { ModelError } from '../errors.ts';
import { describeType, toPlain } from '../prompt/mapping.ts';
import { contentText } from '../prompt/parts/content.ts';
import type { Message, Prompt } from '../prompt/prompt.ts';
import type { ToolCall } from '../prompt/tool-call.ts';
import type { Row } from '../prompt/values.ts';
import { type Abortable, AbortWatch, type Timed, TimeLimit } from './abort-watch.ts';
import { readArguments, readFinishReason } from './answer.ts';
import { isRetryable } from './http-errors.ts';
import { asCount, asObject, asText } from './json-value.ts';
import { hasParts, inlineMedia, wireMessages } from './media.ts';
import type { Answer, FinishReason, GenerateRequest, Model } from './model.ts';
import type { Usage } from './usage.ts';

/** What a function that stands in for a model is given. */
export interface FunctionRequest {
  /** The prompt as one text: what the user says, or all messages with their roles. */
  readonly prompt: string;
  /** The same as messages, in the form of OpenAI's chat API. */
  readonly messages: readonly Message[];
  /** The row that is asked about, as a copy. */
  readonly row: Row;
  /** Is aborted when the answer is not waited for any more. */
  readonly signal: AbortSignal;
  /** What config and dataset set, in the spelling of the wire: `temperature`, `max_tokens`, `tools` … */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** An answer with what is known of it; `object` stands for a text that is its JSON. */
export interface FunctionAnswer {
  readonly text?: string | undefined;
  readonly object?: unknown;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly reasoning?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly finishReason?: FinishReason | undefined;
}

/** Answers a prompt, at once or later. What it throws fails the row. */
export type GenerateFunction = (
  request: FunctionRequest,
) => string | FunctionAnswer | Promise<string | FunctionAnswer>;

export interface FunctionModelSettings {
  readonly name: string;
  readonly generate: GenerateFunction;
  /** Tells its answers from those of an earlier state of what it calls; without one they are of this start alone. */
  readonly version?: string | undefined;
  /** Tells its own code from other code; by default a hash of its text. */
  readonly code?: string | undefined;
  readonly maxOutLen?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly generationKwargs?: Readonly<Record<string, unknown>> | undefined;
  /** Time limit of an answer; 10 minutes by default. */
  readonly timeoutMs?: number | undefined;
}

/**
 * A function instead of a model.
 *
 * @example
 * const model = functionModel({ name: 'echo', generate: ({ prompt }) => prompt, version: '1' });
 * const prompt = { type: 'text', text: 'Hi' } as const;
 * const { text } = await model.generate({ prompt }, { signal: AbortSignal.timeout(1000) }); // 'Hi'
 */
export function functionModel(settings: FunctionModelSettings): Model {
  const { name, version, code = contentHash(settings.generate) } = settings;
  const { maxOutLen, stop, generationKwargs, timeoutMs = 600_000 } = settings;
  const aborts = new AbortWatch();
  const timeLimit = new TimeLimit(timeoutMs);
  const settingsOf = (request: GenerateRequest) => requestSettings(settings, request);
  return {
    name,
    abilities: new Set(['generate', 'vision']),
    identity: {
      ...{ type: 'function', name, code },
      ...(version === undefined ? { start: randomUUID() } : { version }),
      ...(maxOutLen !== undefined && { maxOutLen }),
      ...(stop && { stop }),
      ...(generationKwargs && { generationKwargs }),
    },
    target: { to: `the function ${name}` },
    identifyRow: (row) => JSON.stringify(toPlain(row)),
    // Its answer may depend on all of the row.
    encode: (request) =>
      JSON.stringify({
        messages: wireMessages(messagesOf(request.prompt)),
        ...settingsOf(request),
        row: toPlain(request.row ?? {}),
      }),
    async generate(request, { signal }) {
      signal.throwIfAborted();
      const prompt = hasParts(request.prompt) ? await inlineMedia(request.prompt) : request.prompt;
      const call = new FunctionCall(name, timeoutMs);
      const watchIndex = aborts.add(signal, call);
      const timeIndex = timeLimit.start(call);
      try {
        const given = settings.generate(
          new GivenRequest(call, {
            prompt: textOf(prompt),
            messages: wireMessages(messagesOf(prompt)) as readonly Message[],
            row: toPlain(request.row ?? {}) as Row,
            settings: settingsOf(request),
          }),
        );
        const value = typeof given === 'string' ? given : await call.wait(given);
        return { ...readFunctionAnswer(value, name), totalMs: performance.now() - call.startedAt };
      } catch (error) {
        call.throwIfAborted();
        // Answers that are given in the same turn arrive first: whether anything works is told by them.
        await nextTurn();
        throw functionError(error, name);
      } finally {
        timeLimit.end(timeIndex);
        aborts.remove(signal, watchIndex);
      }
    },
    close: async () => undefined,
  };
}

function requestSettings(
  { maxOutLen, stop, generationKwargs }: FunctionModelSettings,
  request: GenerateRequest,
): Readonly<Record<string, unknown>> {
  const limit = request.maxOutLen ?? maxOutLen;
  const ends = request.stop ?? stop;
  return {
    ...(limit !== undefined && { max_tokens: limit }),
    ...(ends && ends.length > 0 && { stop: ends }),
    ...generationKwargs,
    ...request.settings,
    ...(request.seed !== undefined && { seed: request.seed }),
  };
}

function messagesOf(prompt: Prompt): readonly Message[] {
  return prompt.type === 'messages' ? prompt.messages : [{ role: 'user', content: prompt.text }];
}

/** A single message of the user is its text; of several each has its role above it. */
function textOf(prompt: Prompt): string {
  if (prompt.type === 'text') return prompt.text;
  const [first, ...others] = prompt.messages;
  if (first?.role === 'user' && others.length === 0) return contentText(first.content);
  return prompt.messages
    .map(({ role, content }) => `[${role}]\n${contentText(content)}`)
    .join('\n');
}

/** A call that is waited for until it answers, takes too long, or is not wanted any more. */
class FunctionCall implements Abortable, Timed {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly startedAt = performance.now();
  /** Few functions look at their signal; it is made for those that do. */
  #controller: AbortController | undefined;
  #end: { readonly reason: unknown } | undefined;
  #giveUp: ((reason: unknown) => void) | undefined;

  constructor(name: string, timeoutMs: number) {
    this.#name = name;
    this.#timeoutMs = timeoutMs;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#end) this.#controller.abort(this.#end.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#end ??= { reason };
    this.#controller?.abort(reason);
    this.#giveUp?.(reason);
  }

  expire(): void {
    this.abort(tooSlow(this.#name, this.#timeoutMs));
  }

  throwIfAborted(): void {
    if (this.#end) throw this.#end.reason;
  }

  wait<Value>(value: Value | Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      this.throwIfAborted();
      Promise.resolve(value).then(resolve, reject);
    });
  }
}

/** What a function is given. One getter for all of them keeps their objects small. */
class GivenRequest implements FunctionRequest {
  static readonly #signal = {
    enumerable: true,
    get(this: GivenRequest) {
      return this.#call.signal;
    },
  };
  readonly prompt: string;
  readonly messages: readonly Message[];
  readonly row: Row;
  declare readonly signal: AbortSignal;
  readonly settings: FunctionRequest['settings'];
  readonly #call: FunctionCall;

  constructor(call: FunctionCall, given: Omit<FunctionRequest, 'signal'>) {
    this.prompt = given.prompt;
    this.messages = given.messages;
    this.row = given.row;
    this.settings = given.settings;
    this.#call = call;
    Object.defineProperty(this, 'signal', GivenRequest.#signal);
  }
}

/** What a function gave, as an answer. */
function readFunctionAnswer(value: unknown, name: string): Answer {
  if (typeof value === 'string') return { text: value, finishReason: 'stop' };
  const given = Array.isArray(value) ? undefined : asObject(value);
  if (!given) throw noAnswer(name, describeType(value));
  const { text, object, reasoning, finishReason } = given;
  if (given.tool_calls !== undefined && given.toolCalls === undefined) {
    throw noAnswer(name, '`tool_calls` where `toolCalls` is meant,');
  }
  const toolCalls = readCalls(given.toolCalls, name);
  const isMissing = text === undefined || text === null;
  if (!isMissing && typeof text !== 'string') {
    throw noAnswer(name, `${describeType(text)} as its \`text\``);
  }
  if (isMissing && object === undefined && !toolCalls) {
    throw noAnswer(name, 'an object with neither `text`, `object` nor `toolCalls`');
  }
  const finish = readFinishReason(finishReason ?? (toolCalls ? 'tool_calls' : 'stop'));
  const isObject = isMissing && object !== undefined;
  const json = isObject ? JSON.stringify(object) : undefined;
  if (isObject && json === undefined) {
    throw noAnswer(name, `${describeType(object)}, which JSON does not have, as its \`object\``);
  }
  return {
    text: json ?? (isMissing ? '' : text),
    ...(isObject && { object: true }),
    reasoning: asText(reasoning),
    finishReason: finish,
    ...(toolCalls && { toolCalls }),
    usage: readFunctionUsage(given.usage),
  };
}

function readCalls(value: unknown, name: string): readonly ToolCall[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw noAnswer(name, `${describeType(value)} as its \`toolCalls\``);
  const calls = value.map((one): ToolCall => {
    const call = asObject(one) ?? {};
    // As OpenAI's chat API writes it, or the AI SDK.
    const made = asObject(call.function) ?? call;
    const called = asText(made.name) ?? asText(made.toolName);
    if (called === undefined) throw noAnswer(name, 'a tool call without a `name`');
    const id = asText(call.id) ?? asText(call.toolCallId);
    const given = readArguments({ ...made, arguments: made.arguments ?? made.args });
    return { ...(id !== undefined && { id }), name: called, arguments: given };
  });
  return calls.length > 0 ? calls : undefined;
}

function readFunctionUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const inputTokens = asCount(usage?.inputTokens ?? usage?.prompt_tokens);
  const outputTokens = asCount(usage?.outputTokens ?? usage?.completion_tokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, cachedTokens: asCount(usage?.cachedTokens) };
}

function noAnswer(name: string, gave: string): ModelError {
  return new ModelError(
    'model.function_answer',
    `the function \`${name}\` gave ${gave} instead of an answer`,
    {
      retryable: false,
      hint: 'Return text or `{ text, toolCalls, usage }`; put anything else into `object`.',
    },
  );
}

function tooSlow(name: string, timeoutMs: number): ModelError {
  return new ModelError(
    'model.timeout',
    `the function \`${name}\` did not answer within ${timeoutMs / 1000} s`,
    { retryable: true, hint: 'Raise `timeout`, the limit in seconds.' },
  );
}

/** What a function threw, with its place. What says of itself that it may succeed later is asked again. */
function functionError(error: unknown, name: string): ModelError {
  if (error instanceof ModelError) return error;
  const details = asObject(error) ?? {};
  const status = asCount(details.status) ?? asCount(details.statusCode);
  const reason = error instanceof Error ? error.message : String(error);
  const place = thrownPlace(error);
  const at = place ? ` at ${displayPath(place.file)}:${place.line}:${place.column}` : '';
  return new ModelError('model.function_failed', `the function \`${name}\` threw${at}: ${reason}`, {
    retryable: details.isRetryable === true || (status !== undefined && isRetryable(status)),
    ...(status !== undefined && { status }),
    cause: error,
  });
}
