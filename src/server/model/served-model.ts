import { randomInt } from 'node:crypto';
import type { LocalParts } from '../../model/local/open-local.ts';
import { PromptTokens } from '../../model/local/prompt-tokens.ts';
import type { AnswerRequest } from '../../model/local/write-answer.ts';
import type { ChatBody, CompletionBody } from './bodies.ts';
import { FairQueue } from './fair-queue.ts';
import { defaultLimits, type RequestLimits } from './request-limits.ts';

/** A local model and what the API calls it. */
export interface ServedModel {
  readonly name: string;
  readonly parts: LocalParts;
  readonly prompts: PromptTokens;
  /** When it was loaded, in seconds. */
  readonly created: number;
  readonly limits: RequestLimits;
  readonly queue: FairQueue;
}

/** Who asks, and whether somebody still waits for the answer. */
export interface Asker {
  readonly client: string;
  readonly signal: AbortSignal;
}

export interface ServingSettings {
  readonly name: string;
  readonly limits?: Partial<RequestLimits> | undefined;
  /** The most texts that are computed together; 32 by default. */
  readonly batchSize?: number | undefined;
}

export function servedModel(
  parts: LocalParts,
  { name, limits, batchSize = 32 }: ServingSettings,
): ServedModel {
  const isEncoder = parts.engine.facts.type === 'encoder';
  return {
    name,
    parts,
    prompts: new PromptTokens(parts),
    created: nowSeconds(),
    limits: { ...defaultLimits, ...limits },
    // The next batch is there when one is done. An encoder takes a request after the other.
    queue: new FairQueue(2 * (isEncoder ? 1 : batchSize)),
  };
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

const manySeeds = 2 ** 32;

/** How answers are drawn: as the API says, with chance where no seed is given. */
export function answerSettings(body: CompletionBody | ChatBody): AnswerRequest['settings'] {
  return {
    temperature: body.temperature ?? 1,
    topP: body.top_p ?? 1,
    topK: body.top_k ?? 0,
    seed: body.seed ?? randomInt(manySeeds),
    stopTokenIds: body.stop_token_ids ?? [],
  };
}

/** The counts of a response; answers to one prompt share its tokens. */
export function usageOf(
  promptTokens: number,
  answers: readonly { tokens: number; cached: number }[],
) {
  const completionTokens = answers.reduce((sum, { tokens }) => sum + tokens, 0);
  const cachedTokens = answers.reduce((sum, { cached }) => Math.max(sum, cached), 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}
