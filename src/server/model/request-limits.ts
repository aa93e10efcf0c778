import { ApiError } from './api-error.ts';

/** The most that one request may ask for. */
export interface RequestLimits {
  /** Prompts times `n`, or texts to embed. */
  readonly answers: number;
  /** Tokens to read and to write, each with the likeliest ones beside it that are asked for. */
  readonly tokens: number;
}

export const defaultLimits: RequestLimits = { answers: 1024, tokens: 1_000_000 };

export function checkAnswers(answers: number, limits: RequestLimits, param: string): void {
  if (answers > limits.answers) throw tooMuch(param, { answers, limit: limits.answers });
}

export interface Work {
  readonly answers: number;
  readonly promptTokens: number;
  /** The most of an answer. */
  readonly answerTokens: number;
  /** How many of the likeliest tokens are told with each. */
  readonly top?: number | undefined;
}

/** A single answer is always given: its tokens are bounded by what the model can read. */
export function checkTokens(
  { answers, promptTokens, answerTokens, top = 0 }: Work,
  { tokens: limit }: RequestLimits,
): void {
  const tokens = (promptTokens + answers * answerTokens) * (1 + top);
  if (answers > 1 && tokens > limit) throw tooMuch('max_tokens', { tokens, limit });
}

function tooMuch(param: string, counts: Readonly<Record<string, number>>): ApiError {
  const [[kind, count] = ['', 0], [, limit] = ['', 0]] = Object.entries(counts);
  const shown = (number: number) => number.toLocaleString('en');
  return new ApiError(
    413,
    `the request asks for ${shown(count)} ${kind}; the maximum is ${shown(limit)}: split it into several requests`,
    { param, code: 'request_too_large' },
  );
}
