import type { Tokenizer } from '@huggingface/tokenizers';
import { ModelError } from '../../errors.ts';
import { readByteTokens, readTokenPieces, type TokenPieces } from './token-pieces.ts';

/** A model's tokenizer, with the positions of its tokens in the text. */
export class LocalTokenizer {
  /** How many tokens there are, counted from zero to the last one. */
  readonly size: number;
  /** Tokens that are put in front of every text. */
  readonly prefix: readonly number[];
  /** Tokens that encoders put behind every text. */
  readonly suffix: readonly number[];
  readonly #tokenizer: Tokenizer;
  readonly #pieces: TokenPieces | undefined;
  readonly #byteTokens: Int32Array | undefined;
  /** Texts that are tokens as a whole. */
  readonly #added: readonly string[];

  private constructor(tokenizer: Tokenizer, json: unknown) {
    this.#tokenizer = tokenizer;
    const added = [...tokenizer.get_added_tokens_decoder().values()];
    this.#added = added.map(({ content }) => content);
    this.#pieces = readTokenPieces({
      json,
      added,
      tokenOf: (id) => tokenizer.id_to_token(id),
    });
    this.#byteTokens = readByteTokens(json, this.#pieces);
    this.size = 1;
    for (const id of tokenizer.get_vocab().values()) this.size = Math.max(this.size, id + 1);
    const plain = this.encode('a');
    const whole = tokenizer.encode('a').ids;
    const start = whole.indexOf(plain[0] ?? -1);
    this.prefix = whole.slice(0, Math.max(0, start));
    this.suffix = start < 0 ? [] : whole.slice(start + plain.length);
  }

  /** Takes what `tokenizer.json` and `tokenizer_config.json` hold. */
  static async read(json: object, config: object): Promise<LocalTokenizer> {
    const { Tokenizer: HuggingFaceTokenizer } = await import('@huggingface/tokenizers');
    return new LocalTokenizer(new HuggingFaceTokenizer(json, config), json);
  }

  /** The tokens of a text alone. */
  encode(text: string): number[] {
    const byteTokens = this.#byteTokens;
    if (byteTokens && !this.#added.some((content) => text.includes(content))) {
      const ids: number[] = [];
      for (const byte of Buffer.from(text)) ids.push(byteTokens[byte] as number);
      return ids;
    }
    const ids: number[] = this.#tokenizer.encode(text, { add_special_tokens: false }).ids;
    if (ids.every((id) => id !== undefined)) return ids;
    throw mismatch(text, 'part of it is not a token');
  }

  /** The first tokens of a text between those that the tokenizer puts around it. */
  encodeWhole(text: string, maxTokens: number): number[] {
    const { prefix, suffix } = this;
    const room = Math.max(0, maxTokens - prefix.length - suffix.length);
    return [...prefix, ...this.encode(text).slice(0, room), ...suffix];
  }

  /** The tokens of a text with those that begin every text, unless it brings them itself. */
  encodePrompt(text: string): readonly number[] {
    return this.withPrefix(this.encode(text));
  }

  withPrefix(ids: readonly number[]): readonly number[] {
    const [first] = this.prefix;
    return first === undefined || ids[0] === first ? ids : [...this.prefix, ...ids];
  }

  idOf(token: string): number | undefined {
    return this.#tokenizer.token_to_id(token);
  }

  /** Whether its tokens can be put together again to the texts they were made of. */
  get keepsTexts(): boolean {
    return this.#pieces !== undefined;
  }

  get pieces(): TokenPieces {
    if (this.#pieces) return this.#pieces;
    throw new ModelError(
      'model.token_mismatch',
      'the tokenizer changes texts, so its tokens cannot be joined into the same text again',
      { retryable: false, hint: 'Use a model that generates text.' },
    );
  }

  /** Where the tokens of a text begin in it, in UTF-16 units. */
  startsOf(text: string, ids: readonly number[]): Int32Array {
    const pieces = ids.map((id) => this.pieces.pieceOf(id));
    const starts = tokenStarts(text, pieces) ?? this.#normalizedStarts(text, pieces);
    if (starts) return starts;
    throw mismatch(text, 'its tokens do not add up to it');
  }

  /** Some tokenizers compose characters first. */
  #normalizedStarts(text: string, pieces: readonly Uint8Array[]): Int32Array | undefined {
    const normalize = this.#tokenizer.normalizer as unknown as ((text: string) => string) | null;
    if (!normalize) return undefined;
    const spaced = (part: string) => normalize(part).replaceAll('\u2581', ' ').trimStart();
    const starts = tokenStarts(spaced(text), pieces);
    return starts?.map((start) =>
      firstWhere(text.length, (end) => spaced(text.slice(0, end + 1)).length > start),
    );
  }
}

/** The first number below the limit for which it holds, if it holds for all after it too. */
function firstWhere(limit: number, holds: (number: number) => boolean): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function mismatch(text: string, problem: string): ModelError {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return new ModelError(
    'model.token_mismatch',
    `the tokenizer cannot take the text ${JSON.stringify(shown)}: ${problem}`,
    { retryable: false, hint: 'Does tokenizer.json belong to this model?' },
  );
}

const space = 0x20;

/**
 * Where each token begins in a text, in UTF-16 units; tokens inside one character begin with it.
 * Spaces may differ: tokenizers put one in front of a text, and drop some around special tokens.
 * Undefined if the tokens do not spell the text.
 */
function tokenStarts(text: string, pieces: readonly Uint8Array[]): Int32Array | undefined {
  const bytes = Buffer.from(text);
  const starts = new Int32Array(pieces.length);
  const characters = new CharacterCursor(text);
  let position = 0;
  for (const [index, piece] of pieces.entries()) {
    let isStarted = false;
    for (const byte of piece) {
      if (byte === space && bytes[position] !== space) continue;
      while (bytes[position] !== byte && bytes[position] === space) position += 1;
      if (bytes[position] !== byte) return undefined;
      if (!isStarted) starts[index] = characters.at(position);
      isStarted = true;
      position += 1;
    }
    if (!isStarted) starts[index] = characters.at(position);
  }
  while (bytes[position] === space) position += 1;
  return position === bytes.length ? starts : undefined;
}

/** Finds the character that a byte belongs to, for bytes in order. */
class CharacterCursor {
  readonly #text: string;
  #index = 0;
  #byte = 0;

  constructor(text: string) {
    this.#text = text;
  }

  at(byte: number): number {
    for (;;) {
      const point = this.#text.codePointAt(this.#index);
      if (point === undefined || this.#byte + byteLength(point) > byte) return this.#index;
      this.#byte += byteLength(point);
      this.#index += point > 0xffff ? 2 : 1;
    }
  }
}

function byteLength(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
