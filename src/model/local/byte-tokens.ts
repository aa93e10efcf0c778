import { asObject } from '../json-value.ts';
import type { TokenPieces } from './token-pieces.ts';

/**
 * The token of every byte, if a tokenizer makes one token of each byte of a text. Its tokens are
 * then found without it, which is many times faster.
 */
export function readByteTokens(
  json: unknown,
  pieces: TokenPieces | undefined,
): Int32Array | undefined {
  const { normalizer, pre_tokenizer: splitter, model } = asObject(json) ?? {};
  const { type, add_prefix_space: addsSpace } = asObject(splitter) ?? {};
  if (!pieces || normalizer || type !== 'ByteLevel' || addsSpace !== false) return undefined;
  const settings = asObject(model) ?? {};
  const affixes = [settings.continuing_subword_prefix, settings.end_of_word_suffix];
  const isPlain = settings.type === 'BPE' && affixes.every((affix) => !affix);
  if (!isPlain || !Array.isArray(settings.merges) || settings.merges.length > 0) return undefined;
  const tokens = new Int32Array(256).fill(-1);
  for (const id of Object.values(asObject(settings.vocab) ?? {})) {
    const [byte, ...others] = pieces.pieceOf(id as number);
    if (byte !== undefined && others.length === 0) tokens[byte] = id as number;
  }
  return tokens.includes(-1) ? undefined : tokens;
}
