const space = 0x20;

/**
 * Where each token begins in a text, in UTF-16 units; tokens inside one character begin with it.
 * Spaces may differ: tokenizers put one in front of a text, and drop some around special tokens.
 * Undefined if the tokens do not spell the text.
 */
export function tokenStarts(text: string, pieces: readonly Uint8Array[]): Int32Array | undefined {
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
