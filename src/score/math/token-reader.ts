import type { Token } from './vocabulary.ts';

const deepest = 60;

/** Thrown where a formula cannot be read; `parseMath` catches it. */
export class Unreadable extends Error {}

/** Goes through the tokens of a formula. */
export class TokenReader {
  readonly #tokens: Token[];
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = [...tokens];
  }

  get next(): Token | undefined {
    return this.#tokens[this.#position];
  }

  get before(): Token | undefined {
    return this.#tokens[this.#position - 1];
  }

  /** The next tokens, which stay to be read. */
  peek(count: number): readonly Token[] {
    return this.#tokens.slice(this.#position, this.#position + count);
  }

  skip(count = 1): void {
    this.#position += count;
  }

  /** Whether a sign or a command is next. */
  is(...texts: readonly string[]): boolean {
    const token = this.next;
    const hasName = token?.type === 'sign' || token?.type === 'command';
    return hasName && texts.includes(token.text);
  }

  take(...texts: readonly string[]): string | undefined {
    if (!this.is(...texts)) return undefined;
    this.skip();
    return this.before?.text;
  }

  expect(...texts: readonly string[]): string {
    const taken = this.take(...texts);
    if (taken === undefined) throw new Unreadable();
    return taken;
  }

  /** The tokens up to a sign, which is read too. */
  takeUntil(end: string): readonly Token[] {
    const start = this.#position;
    while (this.next && !this.is(end)) this.skip();
    this.expect(end);
    return this.#tokens.slice(start, this.#position - 1);
  }

  /** Takes the first digit of a number; the others stay to be read. */
  takeDigit(): string {
    const text = this.next?.text ?? '';
    if (text.length > 1) this.#tokens[this.#position] = { type: 'number', text: text.slice(1) };
    else this.skip();
    return text.charAt(0);
  }

  /** Reads something, or stays where it was if there is nothing to read. */
  attempt<Found>(read: () => Found | undefined): Found | undefined {
    const start = this.#position;
    const found = read();
    if (found === undefined) this.#position = start;
    return found;
  }

  /** Reads what stands inside something else; not to any depth. */
  inside<Found>(read: () => Found): Found {
    this.#depth += 1;
    if (this.#depth > deepest) throw new Unreadable();
    const found = read();
    this.#depth -= 1;
    return found;
  }
}
