import { asCount, asObject, asText, type JsonObject } from './json-value.ts';
import type { Answer, FinishReason } from './model.ts';
import type { Usage } from './usage.ts';

/** The answer in the JSON of a chat or text completion; undefined if there is none. */
export function readAnswer(completion: JsonObject | undefined): Answer | undefined {
  const choice = firstChoice(completion);
  if (!completion || !choice || choice.error) return undefined;
  const message = asObject(choice.message);
  return {
    text: readText(message ?? choice),
    reasoning: readReasoning(message ?? choice),
    finishReason: readFinishReason(choice.finish_reason),
    usage: readUsage(completion.usage),
    raw: readFacts(completion, message?.tool_calls),
  };
}

export function firstChoice(completion: JsonObject | undefined): JsonObject | undefined {
  const choices = completion?.choices;
  return Array.isArray(choices) ? asObject(choices[0]) : undefined;
}

/** The error that a server reports inside a completion, or inside a piece of one. */
export function reportedIn(completion: JsonObject | undefined): unknown {
  return completion?.error ?? firstChoice(completion)?.error;
}

/** The text of a message, of a piece of one, or of a choice of a text completion. */
export function readText(part: JsonObject): string {
  const content = part.content ?? part.text;
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) {
    return content.map((item) => asText(asObject(item)?.text) ?? '').join('');
  }
  return asText(part.refusal) ?? '';
}

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
]);

export function readFinishReason(value: unknown): FinishReason {
  return finishReasons.get(value) ?? 'other';
}

export function readUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const inputTokens = asCount(usage?.prompt_tokens);
  if (!usage || inputTokens === undefined) return undefined;
  const cached =
    asObject(usage.prompt_tokens_details)?.cached_tokens ?? usage.prompt_cache_hit_tokens;
  return {
    inputTokens,
    outputTokens: asCount(usage.completion_tokens) ?? 0,
    cachedTokens: asCount(cached),
  };
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
