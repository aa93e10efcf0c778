import type { TokenPieces } from './token-pieces.ts';

/** Puts the text of an answer together from its tokens, and cuts it before a stop sequence. */
export class AnswerText {
  readonly #pieces: TokenPieces;
  readonly #stops: readonly string[];
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Text that may be a prefix of a stop sequence. */
  #held = '';
  #isStopped = false;

  constructor(pieces: TokenPieces, stops: readonly string[]) {
    this.#pieces = pieces;
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** Whether a stop sequence has come: the answer ends before it. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Takes a token and gives the text that is certain now. Characters come whole. */
  push(token: number): string {
    if (this.#isStopped || this.#pieces.isSpecial(token)) return '';
    return this.#release(this.#decoder.decode(this.#pieces.pieceOf(token), { stream: true }));
  }

  /** The rest, when no more tokens come. */
  end(): string {
    if (this.#isStopped) return '';
    const text = this.#release(this.#decoder.decode());
    const rest = this.#held;
    this.#held = '';
    return this.#isStopped ? text : text + rest;
  }

  #release(added: string): string {
    const text = this.#held + added;
    const found = this.#stops.map((stop) => text.indexOf(stop)).filter((index) => index >= 0);
    if (found.length > 0) {
      this.#isStopped = true;
      return text.slice(0, Math.min(...found));
    }
    const certain = text.length - this.#possibleStop(text);
    this.#held = text.slice(certain);
    return text.slice(0, certain);
  }

  /** How much of the text's suffix may be a prefix of a stop sequence. */
  #possibleStop(text: string): number {
    const longest = Math.max(0, ...this.#stops.map(({ length }) => length - 1));
    for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
      const suffix = text.slice(-length);
      if (this.#stops.some((stop) => stop.startsWith(suffix))) return length;
    }
    return 0;
  }
}
