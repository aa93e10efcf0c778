import { KeyOffsets } from './key-offsets.ts';
import { readRows } from './read-rows.ts';

/**
 * Where the lines of parts stand. Rows that were asked the same have parts of the same key, each with
 * its own right answer and its own score; the answer alone, kept before it was scored, is no such line.
 */
export class PartPlaces {
  readonly #places = new KeyOffsets();

  /** The newest lines of a log. */
  static async read(logFile: string): Promise<PartPlaces> {
    const found = new PartPlaces();
    for await (const records of readRows(logFile)) {
      for (const { record, offset } of records) {
        const isPart = typeof record.part === 'number' && record.outcome !== 'failed';
        if (isPart) found.set(record.id, record.key, offset);
      }
    }
    return found;
  }

  get(id: number, key: string): number | undefined {
    return this.#places.get(partKey(id, key));
  }

  set(id: number, key: string, offset: number): void {
    this.#places.set(partKey(id, key), offset);
  }
}

function partKey(id: number, key: string): string {
  const first = (Number.parseInt(key.slice(0, 8), 16) ^ id) >>> 0;
  return first.toString(16).padStart(8, '0') + key.slice(8);
}
