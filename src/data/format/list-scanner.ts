import type { Stretch } from './cut-pieces.ts';

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const blanks: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];

/**
 * Finds the list of rows in a JSON text that comes in chunks: the text itself, or the first list
 * among the members of the object that it is. What stands around the rows is kept as the frame.
 */
export class ListScanner {
  #phase: 'before' | 'rows' | 'after' = 'before';
  #depth = 0;
  #rowsDepth = 0;
  #hasRows = false;
  #inString = false;
  #isEscaped = false;
  readonly #frame: Buffer[] = [];
  #frameBytes = 0;
  /** Bytes of the frame that come before the rows. */
  frameBeforeRows = 0;

  get frameBytes(): number {
    return this.#frameBytes;
  }

  /** The text without the rows: JSON by itself, with an empty list instead of them. */
  readFrame(): string {
    return Buffer.concat(this.#frame).toString('utf8');
  }

  /** Takes the next chunk; gives the stretch of rows in it, if there is one. */
  scan(bytes: Buffer, offset: number): Stretch | undefined {
    let start = 0;
    if (this.#phase === 'before') {
      start = this.#findList(bytes);
      this.#keepFrame(bytes.subarray(0, start));
      this.frameBeforeRows = this.#frameBytes;
    }
    if (this.#phase === 'rows' && !this.#hasRows) {
      while (blanks.includes(bytes[start])) start += 1;
      this.#hasRows = start < bytes.length;
    }
    const separators: number[] = [];
    const end = this.#phase === 'rows' ? this.#scanRows(bytes.subarray(start), separators) : 0;
    if (this.#phase === 'after') this.#keepFrame(bytes.subarray(start + end));
    if (end === 0) return undefined;
    return { bytes: bytes.subarray(start, start + end), offset: offset + start, separators };
  }

  #keepFrame(bytes: Buffer): void {
    this.#frame.push(Buffer.from(bytes));
    this.#frameBytes += bytes.length;
  }

  /** Reads up to the start of the list and gives the position after it. */
  #findList(bytes: Buffer): number {
    for (let at = 0; at < bytes.length; ) {
      if (this.#inString) {
        at = this.#skipString(bytes, at);
        continue;
      }
      const byte = bytes[at] as number;
      at += 1;
      this.#follow(byte);
      if (byte === openList && this.#depth <= 2) {
        this.#phase = 'rows';
        this.#rowsDepth = this.#depth;
        return at;
      }
    }
    return bytes.length;
  }

  /** Reads up to the end of the list, or of the chunk, and gives the position. */
  #scanRows(bytes: Buffer, separators: number[]): number {
    for (let at = 0; at < bytes.length; ) {
      if (this.#inString) {
        at = this.#skipString(bytes, at);
        continue;
      }
      const byte = bytes[at] as number;
      this.#follow(byte);
      if (this.#depth < this.#rowsDepth) {
        this.#phase = 'after';
        return at;
      }
      if (byte === comma && this.#depth === this.#rowsDepth) separators.push(at);
      at += 1;
    }
    return bytes.length;
  }

  #follow(byte: number): void {
    if (byte === quote) this.#inString = true;
    else if (byte === openList || byte === openObject) this.#depth += 1;
    else if (byte === closeList || byte === closeObject) this.#depth -= 1;
  }

  #skipString(bytes: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === backslash) {
        at += 1;
      } else if (byte === quote) {
        this.#inString = false;
        this.#isEscaped = false;
        return at + 1;
      }
    }
    this.#isEscaped = at > bytes.length;
    return bytes.length;
  }
}
