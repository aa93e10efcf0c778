import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { isFileMissing } from '../../base/files.ts';

/** What a start that did not come to its end says of the rows of a log. */
export interface Begun {
  /** How many rows there were to be; left out if the start was ended before it knew. */
  readonly total?: number | undefined;
  /** Where the lines of this start begin. */
  readonly end: number;
  /** The lines before it that still count, by row. */
  readonly kept: ReadonlyMap<number, number>;
}

const numberBytes = Float64Array.BYTES_PER_ELEMENT;
const headBytes = 2 * numberBytes;
const flushedAt = 4096;

function begunFile(indexFile: string): string {
  return indexFile.replace(/\.index$/, '.begun');
}

/**
 * What counts of a log while a start goes on, in a file that goes away at its end: lines of earlier
 * starts may answer other questions, and count once this start has taken them over.
 */
export class BegunRows {
  readonly #file: string;
  #handle: number | undefined;
  #end: number;
  #waiting: number[] = [];
  #written = headBytes;

  constructor(indexFile: string, end: number) {
    this.#file = begunFile(indexFile);
    this.#end = end;
    this.#handle = openSync(this.#file, 'w');
    this.#write([0, end], 0);
  }

  set total(rows: number) {
    this.#write([rows, this.#end], 0);
  }

  /** Takes note of a row whose earlier line counts. */
  keep(id: number, offset: number): void {
    this.#waiting.push(id, offset);
    if (this.#waiting.length >= flushedAt) this.flush();
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const numbers = this.#waiting;
    this.#waiting = [];
    this.#write(numbers, this.#written);
    this.#written += numbers.length * numberBytes;
  }

  #write(numbers: readonly number[], place: number): void {
    if (this.#handle === undefined) return;
    writeSync(this.#handle, new Float64Array(numbers), 0, numbers.length * numberBytes, place);
  }

  /** Lets go of the file. */
  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }
}

/** Says that an index counts again. */
export async function removeBegun(indexFile: string): Promise<void> {
  await rm(begunFile(indexFile), { force: true });
}

/** Nothing where the last start came to its end. */
export async function readBegun(indexFile: string): Promise<Begun | undefined> {
  const bytes = await readFile(begunFile(indexFile)).catch((error: unknown) => {
    if (isFileMissing(error)) return undefined;
    throw error;
  });
  if (!bytes) return undefined;
  const numbers: number[] = [];
  for (let place = 0; place + numberBytes <= bytes.length; place += numberBytes)
    numbers.push(bytes.readDoubleLE(place));
  const [total = 0, end = 0, ...lines] = numbers;
  const kept = new Map<number, number>();
  for (let place = 0; place + 1 < lines.length; place += 2)
    kept.set(Number(lines[place]), Number(lines[place + 1]));
  return { end, kept, ...(total > 0 && { total }) };
}
