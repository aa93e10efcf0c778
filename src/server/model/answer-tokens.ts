import type { WrittenToken } from '../../model/local/engine/requests.ts';
import type { LocalParts } from '../../model/local/open-local.ts';
import { type PositionedToken, tokenLogprob } from './logprobs.ts';
import { characters, TokenPositions } from './token-text.ts';

/** The tokens of an answer, each once its text is certain: those of a stop text have no part. */
export class AnswerTokens {
  readonly #parts: LocalParts;
  readonly #positions: TokenPositions;
  /** Where the text that is certain ends, counted in characters. */
  #end: number;
  #waiting: PositionedToken[] = [];

  constructor(parts: LocalParts, start: number) {
    this.#parts = parts;
    this.#positions = new TokenPositions(parts.tokenizer.pieces, start);
    this.#end = start;
  }

  /** Takes text that has become certain and tokens that were written; gives the certain ones. */
  take(text: string, written: readonly WrittenToken[]): PositionedToken[] {
    this.#end += characters(text);
    for (const token of written) {
      this.#waiting.push({ ...tokenLogprob(token), offset: this.#positions.add(token.token) });
    }
    const held = this.#waiting.findIndex(({ offset }) => offset >= this.#end);
    return this.#waiting.splice(0, held < 0 ? this.#waiting.length : held);
  }

  /** Tokens after the text, such as the one that ends the answer. */
  rest(): PositionedToken[] {
    const { tokenizer, stopIds } = this.#parts;
    return this.#waiting.filter(({ id }) => stopIds.includes(id) || tokenizer.pieces.isSpecial(id));
  }
}
