import { asObject, asText } from '../json-value.ts';

/** The bytes that each token stands for in a text. */
export interface TokenPieces {
  pieceOf(id: number): Uint8Array;
  /** Whether a token only marks something and is left out of answers. */
  isSpecial(id: number): boolean;
}

/** A token that texts spell out as it is. */
export interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly special: boolean;
}

interface Vocabulary {
  /** What `tokenizer.json` holds. */
  readonly json: unknown;
  readonly added: readonly AddedToken[];
  readonly tokenOf: (id: number) => string | undefined;
}

/** Undefined if the tokenizer does not keep the texts it is given, as those of encoders. */
export function readTokenPieces({ json, added, tokenOf }: Vocabulary): TokenPieces | undefined {
  const spell = spellingOf(asObject(json)?.decoder);
  if (!spell) return undefined;
  const addedById = new Map(added.map((token) => [token.id, token]));
  const pieces: Uint8Array[] = [];
  return {
    pieceOf: (id) => {
      const known = pieces[id];
      if (known) return known;
      const content = addedById.get(id)?.content;
      const piece = content === undefined ? spell(tokenOf(id) ?? '') : Buffer.from(content);
      pieces[id] = piece;
      return piece;
    },
    isSpecial: (id) => addedById.get(id)?.special ?? false,
  };
}

type Spell = (token: string) => Uint8Array;

function spellingOf(decoder: unknown): Spell | undefined {
  const types = new Set(decodersOf(decoder).map(({ type }) => asText(type)));
  if (types.has('ByteLevel')) return bytesOfCharacters;
  if (types.has('Metaspace') || types.has('ByteFallback') || types.has('Replace')) return spaced;
  return undefined;
}

function decodersOf(decoder: unknown): readonly Readonly<Record<string, unknown>>[] {
  const object = asObject(decoder);
  if (!object) return [];
  return Array.isArray(object.decoders) ? object.decoders.flatMap(decodersOf) : [object];
}

/** Each character of a token stands for a byte, most of them for the byte of their own number. */
function bytesOfCharacters(token: string): Uint8Array {
  return Uint8Array.from(token, (character) => byteOfCharacter.get(character) ?? 0);
}

const byteOfCharacter = new Map<string, number>();
for (let byte = 0, shifted = 256; byte < 256; byte += 1) {
  const isPrintable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  byteOfCharacter.set(String.fromCharCode(isPrintable ? byte : shifted), byte);
  if (!isPrintable) shifted += 1;
}

const singleByte = /^<0x([0-9A-F]{2})>$/;

/** A low line stands for a space; bytes that make no character alone are numbers. */
function spaced(token: string): Uint8Array {
  const [, byte] = singleByte.exec(token) ?? [];
  if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16));
  return Buffer.from(token.replaceAll('\u2581', ' '));
}

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
