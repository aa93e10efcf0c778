import { ModelError } from '../errors.ts';
import type { Content, ContentPart } from '../prompt/parts/content.ts';
import type { Message, Prompt } from '../prompt/prompt.ts';
import type { ToolCall } from '../prompt/tool-call.ts';
import { readFinishReason } from './answer.ts';
import { unreadableAnswer } from './answer-errors.ts';
import { shownUrl } from './endpoint-address.ts';
import { type Endpoint, statusError, transportError } from './http-errors.ts';
import { asCount, asObject, asText, type JsonObject, parseJson } from './json-value.ts';
import { hasFields, splitDataUrl } from './media.ts';
import type { Answer } from './model.ts';
import { redact } from './secrets.ts';
import type { Usage } from './usage.ts';

export interface SdkCall {
  readonly prompt: Prompt;
  readonly maxOutLen?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Name under which the provider looks for options of its own. */
  readonly provider: string;
}

const settingNames: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  seed: 'seed',
  max_tokens: 'maxOutputTokens',
  stop: 'stopSequences',
};

/** Settings that the AI SDK has in another form. */
const sdkForms: Readonly<Record<string, (value: unknown) => object>> = {
  tools: (value) => ({ tools: Array.isArray(value) ? value.map(sdkTool) : value }),
  tool_choice: (value) => ({ toolChoice: sdkToolChoice(value) }),
  response_format: (value) => ({ responseFormat: sdkFormat(value) }),
};

function sdkTool(value: unknown): unknown {
  const tool = asObject(asObject(value)?.function);
  if (!tool) return value;
  const { name, description, parameters } = tool;
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters ?? { type: 'object', properties: {} },
  };
}

function sdkToolChoice(value: unknown): unknown {
  if (typeof value === 'string') return { type: value };
  const name = asObject(asObject(value)?.function)?.name;
  return name === undefined ? value : { type: 'tool', toolName: name };
}

function sdkFormat(value: unknown): unknown {
  const format = asObject(value) ?? {};
  if (format.type === 'json_object') return { type: 'json' };
  if (format.type !== 'json_schema') return value;
  const { schema, name, description } = asObject(format.json_schema) ?? {};
  return {
    type: 'json',
    schema,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  };
}

/** The options of a call to a model of the AI SDK. Settings it does not know go to the provider. */
export function sdkCallOptions({ prompt, maxOutLen, stop, settings, provider }: SdkCall) {
  const known: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    const sdkName = settingNames[name];
    const form = sdkForms[name];
    if (form) Object.assign(known, form(value));
    else if (sdkName === undefined) others[name] = value;
    else known[sdkName] = value;
  }
  return {
    prompt: sdkMessages(prompt),
    ...(maxOutLen !== undefined && { maxOutputTokens: maxOutLen }),
    ...(stop && stop.length > 0 && { stopSequences: stop }),
    ...known,
    ...(Object.keys(others).length > 0 && { providerOptions: { [provider]: others } }),
  };
}

function sdkMessages(prompt: Prompt): object[] {
  if (prompt.type === 'text') {
    if (prompt.pieces) throw notSupported('prompts with token ids');
    return [sdkMessage('user', prompt.text)];
  }
  const calls = new Map<string, string>();
  return prompt.messages.map((message) => {
    for (const { id, function: called } of message.tool_calls ?? []) calls.set(id, called.name);
    return sdkToolMessage(message, calls) ?? sdkMessage(message.role, message.content);
  });
}

/** A message that calls tools, or that says what one gave. */
function sdkToolMessage(
  { role, content, tool_calls, tool_call_id: id }: Message,
  names: ReadonlyMap<string, string>,
): object | undefined {
  const text = typeof content === 'string' ? content : '';
  if (id !== undefined) {
    const output = { type: 'text', value: text };
    return {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: names.get(id) ?? '', output }],
    };
  }
  if (!tool_calls) return undefined;
  const calls = tool_calls.map(({ id, function: { name, arguments: given } }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: parseJson(given) ?? given,
  }));
  return { role, content: [...(text === '' ? [] : [{ type: 'text', text }]), ...calls] };
}

function sdkMessage(role: string, content: Content): object {
  if (typeof content !== 'string') return { role, content: content.map(sdkPart) };
  switch (role) {
    case 'system':
      return { role, content };
    case 'user':
    case 'assistant':
      return { role, content: [{ type: 'text', text: content }] };
    default:
      throw notSupported(`the role \`${role}\``);
  }
}

function sdkPart(part: ContentPart): object {
  if (part.type === 'text') return part;
  const { type, content, source } = part;
  if (hasFields(part)) throw notSupported(`fields of a part other than its ${type}`);
  if (content) {
    return { type: 'file', mediaType: content.mediaType, data: `sha256:${content.sha256}` };
  }
  const inlined = splitDataUrl(source);
  if (inlined) return { type: 'file', ...inlined };
  return {
    type: 'file',
    mediaType: `${type}/*`,
    data: URL.canParse(source) ? new URL(source) : source,
  };
}

function notSupported(what: string): ModelError {
  return new ModelError('model.prompt_not_supported', `the AI SDK does not accept ${what}`, {
    retryable: false,
    hint: 'Use an OpenAI-compatible endpoint, or a format with system, user and assistant.',
  });
}

/** The answer in the result of a call; undefined if there is none. */
export function readSdkResult(value: unknown): Answer | undefined {
  const result = asObject(value) ?? {};
  if (!Array.isArray(result.content) || !result.content.every(isSdkPart)) return undefined;
  const finish = asObject(result.finishReason)?.unified ?? result.finishReason;
  const { id, modelId } = asObject(result.response) ?? {};
  return {
    text: joinParts(result.content, 'text') ?? '',
    reasoning: joinParts(result.content, 'reasoning'),
    finishReason: readFinishReason(finish),
    toolCalls: readSdkCalls(result.content),
    usage: readSdkUsage(asObject(result.usage)),
    raw: { id, model: modelId },
  };
}

function readSdkCalls(content: readonly unknown[]): readonly ToolCall[] | undefined {
  const calls = content.flatMap((part): ToolCall[] => {
    const { type, toolCallId, toolName, input } = asObject(part) ?? {};
    const name = asText(toolName);
    if (type !== 'tool-call' || name === undefined) return [];
    const id = asText(toolCallId);
    const given = typeof input === 'string' ? (parseJson(input) ?? input) : (input ?? {});
    return [{ ...(id !== undefined && { id }), name, arguments: given }];
  });
  return calls.length > 0 ? calls : undefined;
}

/** Texts and thoughts have texts; files, sources and calls are what they are. */
function isSdkPart(value: unknown): boolean {
  const { type, text } = asObject(value) ?? {};
  return (
    typeof type === 'string' && (typeof text === 'string' || !['text', 'reasoning'].includes(type))
  );
}

function joinParts(content: readonly unknown[], type: string): string | undefined {
  const parts = content.filter((part) => asObject(part)?.type === type);
  if (parts.length === 0) return undefined;
  return parts.map((part) => asText(asObject(part)?.text) ?? '').join('');
}

/** Version 3 of the specification splits the counts up, version 2 does not. */
function readSdkUsage(usage: JsonObject | undefined): Usage | undefined {
  const input = asObject(usage?.inputTokens);
  const inputTokens = asCount(input ? input.total : usage?.inputTokens);
  const output = asObject(usage?.outputTokens);
  const outputTokens = asCount(output ? output.total : usage?.outputTokens);
  if (!usage || (inputTokens === undefined && outputTokens === undefined)) return undefined;
  return {
    inputTokens,
    outputTokens,
    cachedTokens: asCount(input ? input.cacheRead : usage.cachedInputTokens),
  };
}

/** The error for a call to a model of the AI SDK that failed. */
export function sdkError({ url, secrets }: Endpoint, thrown: unknown): ModelError {
  const details = asObject(thrown) ?? {};
  const address = asText(details.url);
  const endpoint = { url: address === undefined ? url : shownUrl(address), secrets };
  const status = asCount(details.statusCode);
  const lost = findTransportError(thrown);
  if (lost) return transportError(endpoint, lost);
  if (status === undefined) return providerError(endpoint, details);
  const body = asText(details.responseBody) ?? asText(details.message) ?? '';
  if (status < 300) return unreadableAnswer(endpoint, body);
  return statusError(endpoint, { status, headers: readHeaders(details.responseHeaders), body });
}

function providerError({ url, secrets }: Endpoint, details: JsonObject): ModelError {
  const reason = redact(asText(details.message) ?? 'no reason given', secrets);
  return new ModelError('model.provider_failed', `${url} could not be reached: ${reason}`, {
    url,
    retryable: details.isRetryable === true,
    hint: 'Check the options of the provider package.',
  });
}

/** The network error among the causes of an error. */
function findTransportError(thrown: unknown): Error | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error;
  }
  return undefined;
}

function readHeaders(headers: unknown): Record<string, string> {
  const entries = Object.entries(asObject(headers) ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
