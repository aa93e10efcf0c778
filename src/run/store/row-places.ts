import { readFile } from 'node:fs/promises';
import { isFileMissing } from '../../base/files.ts';
import { type Begun, readBegun } from './begun-rows.ts';
import { Column } from './column.ts';
import { readRows } from './read-rows.ts';

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

  /** The rows that count; nothing if that is not known, and the newest line of every row does. */
  static async read(files: RowFiles): Promise<RowPositions | undefined> {
    const begun = await readBegun(files.indexFile);
    return begun
      ? new RowPositions(await entriesOf(files.logFile, begun))
      : RowPositions.ofIndex(files.indexFile);
  }

  /** Nothing if there is no index: the run did not come to its end. */
  static async ofIndex(indexFile: string): Promise<RowPositions | undefined> {
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

/** Beyond the other rows by more than this, a number is damaged. */
const widestGap = 1 << 24;

/** What a start that did not come to its end took over, and what it wrote. */
async function entriesOf(logFile: string, { end, kept }: Begun): Promise<Float64Array> {
  const entries = new Column((length) => new Float64Array(length));
  let size = 0;
  const set = (id: number, offset: number) => {
    if (id - size > widestGap) return;
    entries.set(id, offset + 1);
    size = Math.max(size, id + 1);
  };
  for (const [id, offset] of kept) set(id, offset);
  for await (const batch of readRows(logFile, { from: { offset: end, line: 1 } })) {
    for (const { record, offset } of batch) if (record.part === undefined) set(record.id, offset);
  }
  return Float64Array.from({ length: size }, (_, id) => entries.get(id));
}
