import { bytesPerToken } from '../../evaluation/fit-context.ts';
import type { Content, MediaPart } from '../../prompt/parts/content.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import type { CachedRequest } from './prefix-cache.ts';

/** How prompts are counted. */
export interface TokenCounting {
  /** Left out where the model has no tokenizer: a token is then taken to have four bytes. */
  readonly tokenize?: ((text: string) => readonly number[]) | undefined;
  /** Tokens of an image, or of another medium; none by default. */
  readonly imageTokens?: number | undefined;
}

/**
 * Gives the tokens of a prompt, and of the answer to it. The arrays are written again by the next
 * call: who keeps them takes a copy.
 */
export function requestReader(
  counting: TokenCounting,
): (prompt: Prompt, answer?: string) => CachedRequest {
  const writer = new TokenWriter(counting);
  return (prompt, answer) => {
    writer.clear();
    if (prompt.type === 'text') {
      for (const piece of prompt.pieces ?? [prompt.text]) {
        if (typeof piece === 'string') writer.text(piece);
        else writer.ids(piece);
      }
    } else {
      for (const { role, content } of prompt.messages) {
        writer.mark(role);
        writer.content(content);
      }
    }
    const { length } = writer;
    if (answer === undefined) return { tokens: writer.view(0) };
    if (prompt.type === 'messages') writer.mark('assistant');
    writer.text(answer);
    return { tokens: writer.view(0, length), answer: writer.view(length) };
  };
}

/**
 * Writes tokens as numbers. What separates them without being counted, such as the role of a
 * message, makes the token after it another one.
 */
export class TokenWriter {
  readonly #counting: TokenCounting;
  #tokens = new Uint32Array(256);
  /** The same as bytes: where tokens are estimated, four bytes of text are one. */
  #bytes = new Uint8Array(this.#tokens.buffer);
  /** How many bytes are written. */
  #end = 0;
  #mark = 0;

  constructor(counting: TokenCounting) {
    this.#counting = counting;
  }

  /** Whole tokens that are written. */
  get length(): number {
    return Math.floor(this.#end / bytesPerToken);
  }

  clear(): void {
    this.#end = 0;
    this.#mark = 0;
  }

  /** Fills the last token up, where bytes are no whole one. */
  fill(): void {
    const rest = -this.#end & (bytesPerToken - 1);
    this.#reserve(rest);
    this.#bytes.fill(0, this.#end, this.#end + rest);
    this.#end += rest;
  }

  view(start: number, end = this.length): Uint32Array {
    return this.#tokens.subarray(start, end);
  }

  content(content: Content): void {
    if (typeof content === 'string') {
      this.text(content);
      return;
    }
    for (const part of content) {
      if (part.type === 'text') this.text(part.text);
      else this.media(part);
    }
  }

  text(text: string): void {
    const { tokenize } = this.#counting;
    if (tokenize) this.ids(tokenize(text));
    else this.#estimate(text);
  }

  ids(ids: readonly number[]): void {
    for (const id of ids) this.#push(id);
  }

  /** A medium is what it holds: the same one is found again, and nothing that follows another. */
  media({ source, content }: Pick<MediaPart, 'source' | 'content'>): void {
    const { imageTokens = 0 } = this.#counting;
    const key = hashText(content?.sha256 ?? source, 0);
    if (imageTokens === 0) this.mark(content?.sha256 ?? source);
    for (let index = 0; index < imageTokens; index++) this.#push(scramble(key ^ scramble(index)));
  }

  mark(text: string): void {
    this.#mark = hashText(text, this.#mark);
  }

  #estimate(text: string): void {
    this.#reserve(text.length * mostBytes);
    const token = Math.floor(this.#end / bytesPerToken);
    this.#end += utf8.encodeInto(text, this.#bytes.subarray(this.#end)).written;
    if (this.#mark === 0 || this.#end < (token + 1) * bytesPerToken) return;
    this.#tokens[token] = scramble((this.#tokens[token] as number) ^ this.#mark);
    this.#mark = 0;
  }

  #push(token: number): void {
    this.#reserve(bytesPerToken);
    const loose = this.#end % bytesPerToken;
    if (loose > 0) {
      this.mark(String(this.#bytes.subarray(this.#end - loose, this.#end)));
      this.#end -= loose;
    }
    this.#tokens[this.#end / bytesPerToken] =
      this.#mark === 0 ? token : scramble(token ^ this.#mark);
    this.#end += bytesPerToken;
    this.#mark = 0;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const tokens = new Uint32Array(Math.ceil((this.#end + bytes) / bytesPerToken) * 2);
    tokens.set(this.#tokens);
    this.#tokens = tokens;
    this.#bytes = new Uint8Array(tokens.buffer);
  }
}

const utf8 = new TextEncoder();
/** The most bytes that a UTF-16 unit takes. */
const mostBytes = 3;

function hashText(text: string, start: number): number {
  let hash = scramble(start ^ (text.length + 1));
  for (let index = 0; index < text.length; index++) {
    hash = scramble(hash ^ text.charCodeAt(index));
  }
  // zero stands for no mark
  return hash === 0 ? 1 : hash;
}

function scramble(value: number): number {
  const first = Math.imul((value ^ (value >>> 16)) + 0x6d2b79f5, 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}
