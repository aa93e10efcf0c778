import { ModelError } from '../errors.ts';
import type { RowId } from '../prompt/origin.ts';
import type { Prompt, TextPrompt } from '../prompt/prompt.ts';
import type { ToolCall } from '../prompt/tool-call.ts';
import type { Row } from '../prompt/values.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import type { LoglikelihoodModel, LoglikelihoodRequest } from './loglikelihood.ts';
import type { ToolLoop } from './tool.ts';
import type { Usage } from './usage.ts';

/**
 * `stream`: answers come in pieces, so that the time to the first token is known. `next-token`:
 * choices of one token can be compared; with `loglikelihood` any text.
 */
export type Ability =
  | 'generate'
  | 'loglikelihood'
  | 'next-token'
  | 'tokenize'
  | 'vision'
  | 'stream'
  | 'embed';

/** Something that answers prompts. */
export interface Model {
  readonly name: string;
  readonly abilities: ReadonlySet<Ability>;
  /** Whether it takes prompts as one text or as messages; as messages by default. */
  readonly takes?: 'text' | 'messages' | undefined;
  /** What tells its answers from those of other models; part of cache keys, without secrets. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** What is sent for a request, as text: equal texts are one request. */
  encode(request: GenerateRequest): string;
  /** The same as bytes, of models that send it as such, where it is long; otherwise nothing. */
  encodeLong?(request: GenerateRequest): Uint8Array | undefined;
  /** Fails with a `ModelError`, or with the signal's reason once that is aborted. */
  generate(request: GenerateRequest, options: GenerateOptions): Promise<GenerateResult>;
  /** Of recorded answers: the answer itself, before anything is asked. Fails with a `ModelError` where there is none. */
  recordedAnswer?(request: GenerateRequest): Answer;
  /** What tells the answers of a row from other ones, where they stand in the row. */
  identifyRow?(row: Row): string;
  /** Where requests go: to an address, or to something else that is named here. */
  readonly target?: ModelTarget | undefined;
  /** What goes there for a request, with its media put in; what is encoded, where this is left out. */
  bodiesOf?(request: GenerateRequest | LoglikelihoodRequest): Promise<readonly string[]>;
  /** What was found out about it, for the record of a run. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  /** With the abilities `loglikelihood` and `next-token`. */
  readonly loglikelihoodModel?: LoglikelihoodModel | undefined;
  /** With the ability `embed`. */
  readonly embedder?: EmbeddingModel | undefined;
  /** With the ability `tokenize`: how many tokens a text has. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** With the ability `tokenize`, where they are known: the tokens of a text. */
  readonly tokenize?: ((text: string) => readonly number[]) | undefined;
  /** The tokens that it reads of a text, by their ids, with those that are put before it. */
  readonly idsOf?: ((prompt: TextPrompt) => readonly number[]) | undefined;
  /** Waits for answers in flight, then lets go of connections. */
  close(): Promise<void>;
}

export type ModelTarget = { readonly url: string } | { readonly to: string };

/** The bodies that a model is sent for a request, one for each exchange. */
export async function bodiesOf(
  model: Model,
  request: GenerateRequest | LoglikelihoodRequest,
): Promise<readonly string[]> {
  return model.bodiesOf?.(request) ?? [String(encodeRequest(model, request))];
}

/**
 * What is sent for a request, as text or as bytes. Bytes lie outside of the heap, where long texts that wait for their
 * answers would be copied again and again. They are a `Buffer`, whose text `String` gives; its type is not known everywhere.
 */
export type SentBody = string | Uint8Array;

/** What stands for a request to a model. */
export function encodeRequest(
  model: Model,
  request: GenerateRequest | LoglikelihoodRequest,
): SentBody {
  if ('prompt' in request) return model.encodeLong?.(request) ?? model.encode(request);
  if (!model.loglikelihoodModel) throw new TypeError(`${model.name} gives no loglikelihoods`);
  return model.loglikelihoodModel.encode(request);
}

/** What a model was set up with that limits its answers. */
interface LimitSettings {
  readonly maxOutLen?: unknown;
  readonly generationKwargs?: unknown;
}

/**
 * The most tokens that an answer may have, as the request says it to the server; nothing where that
 * is left to the server.
 *
 * @example
 * const model = { maxOutLen: 8, generationKwargs: { max_tokens: 16 } };
 * answerLimit(model, {}); // 16
 */
export function answerLimit(
  { maxOutLen, generationKwargs }: LimitSettings,
  request: Pick<GenerateRequest, 'maxOutLen' | 'settings'>,
): number | undefined {
  const given = { ...Object(generationKwargs), ...request.settings };
  const named = limitNames.map((name) => given[name]).find((limit) => limit !== undefined);
  const limit = named ?? request.maxOutLen ?? maxOutLen;
  return typeof limit === 'number' ? limit : undefined;
}

/** What servers call the limit; the first one goes before the other. */
export const limitNames = ['max_completion_tokens', 'max_tokens'] as const;

export interface GenerateOptions {
  readonly signal: AbortSignal;
  /** Aborted when no more is to be started: what waits to go out fails with a `NotSentError`. */
  readonly stop?: AbortSignal | undefined;
  /** Called before each further request that an answer takes; what it gives is waited for. */
  readonly onRequest?: (() => Promise<void> | undefined) | undefined;
}

/** A prompt to answer. What is left out is as the model was set up. */
export interface GenerateRequest {
  readonly prompt: Prompt;
  readonly maxOutLen?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  /** Generation settings in the spelling of the wire, such as `temperature` or `top_p`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly seed?: number | undefined;
  /** What `encode` made of the request, if that is known already: it is then sent as it is. */
  readonly body?: SentBody | undefined;
  /** What the run calls the request. Not sent: recorded answers are found by them. */
  readonly id?: RowId | undefined;
  readonly key?: string | undefined;
  /** The whole row that is asked about. Not sent: its own answers may stand in it. */
  readonly row?: Row | undefined;
  /** Which of the row's requests it is, if there are several. Not sent: recorded answers are found by it. */
  readonly part?: RequestPart | undefined;
  /** Tools with functions of the config's. Not sent: whoever sends the request calls them. */
  readonly loop?: ToolLoop | undefined;
}

/** One of the requests of a row. */
export interface RequestPart {
  /** A turn of a dialogue, or the row once more: another sample, or its options in another order. */
  readonly kind: 'turn' | 'sample' | 'order';
  /** Counts turns, samples or orders from 1. */
  readonly name: number;
  /** Whether nothing of the row is asked before it, */
  readonly isFirst: boolean;
  /** and whether nothing is after it. */
  readonly isLast: boolean;
}

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'error' | 'other';

/** What a model answered. */
/** What an answer was before secrets were taken out of it. It is for this process alone: JSON leaves it out. */
export const unredacted = Symbol('unredacted');

export interface Unredacted extends Pick<Answer, 'text' | 'reasoning'> {
  /** What is made of it, without the secrets. */
  readonly hide: <Value>(value: Value) => Value;
}

export interface Answer {
  readonly text: string;
  /** The text is JSON of what a function gave as its `object`. */
  readonly object?: true | undefined;
  /** Thoughts that the server keeps apart from the answer. */
  readonly reasoning?: string | undefined;
  readonly finishReason: FinishReason;
  /** The tools that it wants to be called; left out where there are none. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly usage?: Usage | undefined;
  /** Small facts about the answer as the server named them: id, model, fingerprint, tool calls. */
  readonly raw?: Readonly<Record<string, unknown>> | undefined;
  /** Whether `***` stands in its text or its thoughts for something that was sent in confidence. */
  readonly redacted?: true | undefined;
  readonly [unredacted]?: (() => Unredacted) | undefined;
}

export interface GenerateResult extends Answer {
  /** From the start of the request to the first piece of text; known for streamed answers. */
  readonly firstTokenMs?: number | undefined;
  readonly totalMs: number;
  /** Of an answer that took several requests, because tools were called between them: each in turn. */
  readonly steps?: readonly AnswerStep[] | undefined;
}

/** One request of several that led to an answer, and what the tools gave that it called. */
export interface AnswerStep extends Pick<Answer, 'text' | 'finishReason' | 'toolCalls' | 'usage'> {
  readonly ms: number;
  /** What the tools gave, in the order of the calls; left out where none was run. */
  readonly results?: readonly ToolResult[] | undefined;
}

export interface ToolResult {
  readonly name: string;
  readonly content: string;
  /** Whether the tool failed: the content says why. */
  readonly failed?: true | undefined;
}

/** Throws if a model lacks a needed ability, before anything is sent. */
export function requireAbilities(
  model: Pick<Model, 'name' | 'abilities'>,
  abilities: Iterable<Ability>,
  why: string,
): void {
  const missing = [...abilities].filter((ability) => !model.abilities.has(ability));
  if (missing.length === 0) return;
  throw new ModelError(
    'model.ability_missing',
    `the model \`${model.name}\` has no ${list(missing)}, which ${why} needs`,
    { retryable: false, hint: hintFor(missing) ?? `It has ${list([...model.abilities])}.` },
  );
}

function hintFor(missing: readonly Ability[]): string | undefined {
  if (missing.includes('vision')) {
    return 'Media can be sent to chat models: `type: OpenAI` or `type: AISDK`, without `vision: false`.';
  }
  if (!missing.includes('loglikelihood') && !missing.includes('next-token')) return undefined;
  return 'Log-probabilities come from `type: OpenAICompletions` on a server that echoes them (vLLM, SGLang), and from `type: Local`.';
}

function list(abilities: readonly string[]): string {
  return abilities.map((ability) => `\`${ability}\``).join(', ');
}
