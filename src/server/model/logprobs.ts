import type { SequenceScores, WrittenToken } from '../../model/local/engine/requests.ts';
import type { TokenPieces } from '../../model/local/token-pieces.ts';
import { tokenText, writtenLogprob } from './token-text.ts';

/** A token with its probability and those of the likeliest ones at its position. */
export interface TokenLogprob {
  readonly id: number;
  readonly logprob: number | null;
  readonly top: readonly (readonly [id: number, logprob: number])[];
}

/** With the position in the text where it begins, counted in characters. */
export interface PositionedToken extends TokenLogprob {
  readonly offset: number;
}

export function tokenLogprob({ token, logprob, topIds, topLogprobs }: WrittenToken): TokenLogprob {
  const top = (topIds ?? []).map((id, rank) => [id, topLogprobs?.[rank] ?? 0] as const);
  return { id: token, logprob: logprob ?? null, top };
}

/** The tokens of a prompt; the first has no probability. */
export function promptLogprobs(
  ids: Int32Array,
  scores: SequenceScores | undefined,
  top: number,
): TokenLogprob[] {
  return Array.from(ids, (id, position) => {
    if (position === 0 || !scores) return { id, logprob: null, top: [] };
    return {
      id,
      logprob: scores.logprobs[position - 1] ?? null,
      top: topAt(scores, position - 1, top),
    };
  });
}

function topAt(scores: SequenceScores, position: number, top: number): TokenLogprob['top'] {
  const { bestIds, bestLogprobs, topIds, topLogprobs } = scores;
  if (top === 0) return [];
  if (top === 1) return [[bestIds[position] as number, bestLogprobs[position] as number]];
  return Array.from({ length: top }, (_, rank) => {
    const index = position * top + rank;
    return [topIds[index] as number, topLogprobs[index] as number] as const;
  });
}

/** In the form of text completions: lists side by side. */
export function completionLogprobs(pieces: TokenPieces, tokens: readonly PositionedToken[]) {
  return {
    tokens: tokens.map(({ id }) => tokenText(pieces, id)),
    token_logprobs: tokens.map(({ logprob }) => logprob && writtenLogprob(logprob)),
    top_logprobs: tokens.map(({ id, logprob, top }) =>
      logprob === null || top.length === 0
        ? null
        : Object.fromEntries(
            [...top, [id, logprob] as const].map(([other, value]) => [
              tokenText(pieces, other),
              writtenLogprob(value),
            ]),
          ),
    ),
    text_offset: tokens.map(({ offset }) => offset),
  };
}

/** In the form of chat completions: one entry for each token. */
export function chatLogprobs(pieces: TokenPieces, tokens: readonly TokenLogprob[]) {
  const entry = (id: number, logprob: number) => ({
    token: tokenText(pieces, id),
    logprob: writtenLogprob(logprob),
    bytes: [...pieces.pieceOf(id)],
  });
  return {
    content: tokens.map(({ id, logprob, top }) => ({
      ...entry(id, logprob ?? 0),
      top_logprobs: top.map(([other, value]) => entry(other, value)),
    })),
    refusal: null,
  };
}
