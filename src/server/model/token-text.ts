import type { TokenPieces } from '../../model/local/token-pieces.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A token as the API writes it: its text, or its bytes where they are no text of their own. */
export function tokenText(pieces: TokenPieces, id: number): string {
  const piece = pieces.pieceOf(id);
  try {
    return decoder.decode(piece);
  } catch {
    const bytes = Array.from(piece, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
    return `bytes:${bytes.join('')}`;
  }
}

/** Puts tokens together, and tells where each begins, counted in characters. */
export class TokenPositions {
  readonly #pieces: TokenPieces;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #position: number;
  #text = '';

  constructor(pieces: TokenPieces, start = 0) {
    this.#pieces = pieces;
    this.#position = start;
  }

  get text(): string {
    return this.#text;
  }

  /** Special tokens have a position but no text. */
  add(id: number): number {
    const start = this.#position;
    if (this.#pieces.isSpecial(id)) return start;
    const added = this.#decoder.decode(this.#pieces.pieceOf(id), { stream: true });
    this.#text += added;
    this.#position += characters(added);
    return start;
  }
}

export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Log-probabilities have no way to say in JSON that something is impossible. */
export function writtenLogprob(logprob: number): number {
  return Math.max(logprob, -9999);
}
