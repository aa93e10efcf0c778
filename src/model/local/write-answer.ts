import type { GenerateResult } from '../model.ts';
import { AnswerText } from './answer-text.ts';
import type { WrittenToken } from './engine/requests.ts';
import type { GenerationSettings } from './generation-settings.ts';
import type { LocalParts } from './open-local.ts';
import { checkLength } from './prompt-tokens.ts';

/** A prompt in tokens, and how it is to be answered. */
export interface AnswerRequest {
  readonly ids: Int32Array;
  /** The most tokens of the answer; what fits if left out. */
  readonly maxTokens?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly settings: GenerationSettings;
  /** Tells answers to the same prompt apart, so that each draws on its own. */
  readonly choice?: number | undefined;
  /** How many of the likeliest tokens are wanted with each token. */
  readonly top?: number | undefined;
}

export interface AnswerOptions {
  readonly signal: AbortSignal;
  /** Hears of the text as it becomes certain, and of the tokens. */
  readonly onText?: ((text: string, tokens: readonly WrittenToken[]) => void) | undefined;
}

/** Writes an answer, a token at a time, up to its end, a stop sequence or the limit. */
export async function writeAnswer(
  { engine, tokenizer, contextLength, stopIds: ownStopIds }: LocalParts,
  request: AnswerRequest,
  { signal, onText }: AnswerOptions,
): Promise<GenerateResult> {
  const startedAt = performance.now();
  const { ids, stop = [], choice = 0, top } = request;
  const { seed, stopTokenIds, ...sampling } = request.settings;
  const stopIds = [...ownStopIds, ...stopTokenIds];
  checkLength(ids, { contextLength, room: request.maxTokens === 0 ? 0 : 1 });
  const maxTokens = Math.min(request.maxTokens ?? contextLength, contextLength - ids.length);
  const answer = new AnswerText(tokenizer.pieces, stop);
  let text = '';
  let outputTokens = 0;
  let cachedTokens = 0;
  let firstTokenMs: number | undefined;
  const add = (piece: string, tokens: readonly WrittenToken[]) => {
    text += piece;
    onText?.(piece, tokens);
  };
  const hear = (token: WrittenToken) => {
    firstTokenMs ??= performance.now() - startedAt;
    outputTokens += 1;
    cachedTokens = token.cached;
    add(stopIds.includes(token.token) ? '' : answer.push(token.token), [token]);
    return answer.isStopped;
  };
  const key = `${choice}/${ids.join(' ')}`;
  const wanted = { ids, maxTokens, stopIds, sampling, seed, key, top };
  const { reason } =
    maxTokens > 0
      ? await engine.write(wanted, { signal, onToken: hear })
      : { reason: 'length' as const };
  add(answer.end(), []);
  return {
    text,
    finishReason: answer.isStopped ? 'stop' : reason,
    usage: { inputTokens: ids.length, outputTokens, cachedTokens },
    firstTokenMs,
    totalMs: performance.now() - startedAt,
  };
}
