import { readFile } from 'node:fs/promises';
import { isFileMissing } from '../../base/files.ts';

/** The files of one model on one dataset. */
export interface RowFiles {
  readonly logFile: string;
  readonly indexFile: string;
}

/** Where the records of the rows that the last run took stand in their log. */
export class RowPositions {
  /** Places plus one, by row; zero for a row that was not taken. */
  readonly #entries: Float64Array;
  /** How many rows there are. */
  readonly size: number;

  private constructor(entries: Float64Array) {
    this.#entries = entries;
    this.size = entries.reduce((size, entry) => (entry > 0 ? size + 1 : size), 0);
  }

  /** Nothing if there is no index: the run did not come to its end. */
  static async read(indexFile: string): Promise<RowPositions | undefined> {
    try {
      const { buffer, byteOffset, byteLength } = await readFile(indexFile);
      if (byteLength % Float64Array.BYTES_PER_ELEMENT !== 0) return undefined;
      const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
      return new RowPositions(new Float64Array(bytes));
    } catch (error) {
      if (isFileMissing(error)) return undefined;
      throw error;
    }
  }

  /** Where the record of a row starts; nothing if the run did not take the row. */
  offsetOf(id: number): number | undefined {
    const entry = this.#entries[id] ?? 0;
    return entry > 0 ? entry - 1 : undefined;
  }

  *ids(): Generator<number> {
    for (const [id, entry] of this.#entries.entries()) if (entry > 0) yield id;
  }
}
