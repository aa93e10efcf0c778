import type { ToolCall } from '../prompt/tool-call.ts';
import { asCount, asObject, asText, type JsonObject, parseJson } from './json-value.ts';
import type { Answer, FinishReason } from './model.ts';
import type { Usage } from './usage.ts';

/** The answer in the JSON of a chat or text completion; undefined if there is none. */
export function readAnswer(completion: JsonObject | undefined): Answer | undefined {
  const choice = firstChoice(completion);
  if (!completion || !choice || reportedIn(completion)) return undefined;
  const message = asObject(choice.message);
  const part = message ?? choice;
  const text = readText(part);
  // An empty answer is one that the server gives on purpose, or says why it stopped before.
  const isMeant =
    contents.some((name) => name in part) || (message && asText(choice.finish_reason));
  if (text === undefined || !isMeant) return undefined;
  return {
    text,
    reasoning: readReasoning(part),
    finishReason: readFinishReason(choice.finish_reason),
    toolCalls: message && readToolCalls(message.tool_calls ?? message.function_call),
    usage: readUsage(completion.usage),
    raw: readFacts(completion, message?.tool_calls),
  };
}

/** The choice with the number 0, wherever it stands; servers that give no numbers mean the first. */
export function firstChoice(completion: JsonObject | undefined): JsonObject | undefined {
  const choices = completion?.choices;
  if (!Array.isArray(choices)) return undefined;
  const first = asObject(choices[0]);
  if (first === undefined || isFirst(first)) return first;
  return choices.map(asObject).find((choice) => choice && isFirst(choice));
}

function isFirst({ index }: JsonObject): boolean {
  return index === undefined || index === null || Number(index) === 0;
}

/** The error that a server reports inside a completion, or inside a piece of one. */
export function reportedIn(completion: JsonObject | undefined): unknown {
  return completion?.error ?? firstChoice(completion)?.error;
}

/**
 * The text of a message, of a piece of one, or of a choice of a text completion; undefined if what
 * stands there is no text.
 */
export function readText(part: JsonObject): string | undefined {
  const content = part.content ?? part.text;
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return asText(part.refusal) ?? '';
  if (!Array.isArray(content)) return undefined;
  const texts = content.map(readTextPart);
  return texts.includes(undefined) ? undefined : texts.join('');
}

/** Parts of other kinds, such as thoughts, have no text of their own. */
function readTextPart(item: unknown): string | undefined {
  const part = asObject(item);
  if (!part || Array.isArray(part)) return undefined;
  return part.text === undefined || part.text === null ? '' : asText(part.text);
}

const contents = [
  ...['content', 'text', 'refusal', 'tool_calls', 'function_call'],
  ...['reasoning', 'reasoning_content'],
];

export function readReasoning(part: JsonObject): string | undefined {
  return asText(part.reasoning_content) ?? asText(part.reasoning);
}

const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['end_turn', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content_filter'],
  ['content-filter', 'content_filter'],
  ['tool_calls', 'tool_calls'],
  ['tool-calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['error', 'error'],
]);

export function readFinishReason(value: unknown): FinishReason {
  return finishReasons.get(value) ?? 'other';
}

export function readUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const inputTokens = asCount(usage?.prompt_tokens);
  const outputTokens = asCount(usage?.completion_tokens);
  if (!usage || (inputTokens === undefined && outputTokens === undefined)) return undefined;
  const cached =
    asObject(usage.prompt_tokens_details)?.cached_tokens ??
    usage.prompt_cache_hit_tokens ??
    usage.cache_read_input_tokens ??
    usage.cached_tokens;
  return { inputTokens, outputTokens, cachedTokens: asCount(cached) };
}

/** What is worth keeping of a completion besides the answer. */
export function readFacts(completion: JsonObject, toolCalls: unknown): JsonObject {
  return {
    id: completion.id,
    model: completion.model,
    system_fingerprint: completion.system_fingerprint ?? undefined,
    tool_calls: Array.isArray(toolCalls) && toolCalls.length > 0 ? toolCalls : undefined,
  };
}

/** The calls in a message, or in the one that older servers know; nothing if there are none. */
export function readToolCalls(value: unknown): readonly ToolCall[] | undefined {
  if (value === undefined || value === null) return undefined;
  const calls = (Array.isArray(value) ? value : [{ function: value }]).flatMap(
    (one): ToolCall[] => {
      const call = asObject(one) ?? {};
      const called = asObject(call.function) ?? asObject(call.custom) ?? {};
      const name = asText(called.name);
      if (name === undefined) return [];
      const id = asText(call.id);
      return [{ ...(id !== undefined && { id }), name, arguments: readArguments(called) }];
    },
  );
  return calls.length > 0 ? calls : undefined;
}

/** Servers write arguments as a text of JSON, and some as JSON itself. */
export function readArguments(called: JsonObject): unknown {
  const written = called.arguments ?? called.input;
  if (typeof written !== 'string') return written ?? {};
  return written.trim() === '' ? {} : (parseJson(written) ?? written);
}

/** Puts the pieces of calls together that a stream sends: each names the call that it goes on with. */
export function joinToolCalls(pieces: readonly unknown[]): readonly JsonObject[] {
  const calls: { index: unknown; call: JsonObject }[] = [];
  for (const value of pieces) {
    const { index, ...piece } = asObject(value) ?? {};
    const last = index === undefined ? calls.at(-1) : calls.find((one) => one.index === index);
    const goesOn =
      last && (index !== undefined || piece.id === undefined || piece.id === last.call.id);
    if (last && goesOn) last.call = joinCall(last.call, piece);
    else calls.push({ index: index ?? calls.length, call: piece });
  }
  return calls.map(({ call }) => call);
}

function joinCall(before: JsonObject, piece: JsonObject): JsonObject {
  const called = asObject(before.function) ?? {};
  const more = asObject(piece.function) ?? {};
  const text = (asText(called.arguments) ?? '') + (asText(more.arguments) ?? '');
  return {
    ...before,
    id: before.id ?? piece.id,
    type: before.type ?? piece.type,
    function: {
      ...called,
      name: asText(called.name) || more.name,
      arguments: text === '' ? (more.arguments ?? called.arguments) : text,
    },
  };
}
