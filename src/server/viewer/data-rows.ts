import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import type { Row } from '../../prompt/values.ts';
import { columnTexts } from '../../report/snapshot/row-cell.ts';
import { Column } from '../../run/store/column.ts';
import { type Positioned, readLineAt, readLines } from '../../run/store/log-file.ts';
import { turn } from './background.ts';
import { isPackable, packRow, unpackRow } from './pack-row.ts';

const flushBytes = 1 << 20;
const maxColumns = 200;
/** Of rows with more bytes, what lists show is kept: they are not read again for a line. */
const largeRow = 500_000;
/** How often what was read in the meantime is looked at. */
const followMs = 50;

/** A row with the numbers of those before and after it. */
export interface RowAmongOthers {
  readonly row: PositionedRow;
  readonly previous?: number | undefined;
  readonly next?: number | undefined;
}

/**
 * The rows of an evaluation, by number. Data files can only be read from their start, so they are read
 * once, in the background, into a file of lines whose places are known.
 */
export class DataRows {
  /** The columns of the data, in the order in which they are met. */
  readonly columns = new Set<string>();
  readonly #folder: string;
  readonly #file: string;
  readonly #handle: FileHandle;
  /** Places of lines, and positions of rows, plus one. */
  readonly #offsets = new Column((length) => new Float64Array(length));
  readonly #positions = new Column((length) => new Uint32Array(length));
  /** Numbers of rows in the order in which they come, plus one, and their places in it, plus one. */
  readonly #order = new Column((length) => new Uint32Array(length));
  readonly #places = new Column((length) => new Uint32Array(length));
  #count = 0;
  /** Rows of which not all could be kept. */
  readonly #partial = new Set<number>();
  readonly #large = new Map<number, Readonly<Record<string, string>>>();
  #written = 0;
  #isDone = false;
  #isClosed = false;
  #error: unknown;
  #read: Promise<void>;

  private constructor(folder: string, handle: FileHandle, rows: Evaluation['rows']) {
    this.#folder = folder;
    this.#file = join(folder, 'rows.jsonl');
    this.#handle = handle;
    this.#read = this.#readAll(rows);
  }

  static async open({ rows }: Pick<Evaluation, 'rows'>): Promise<DataRows> {
    const folder = await mkdtemp(join(tmpdir(), 'typecase-rows-'));
    return new DataRows(folder, await open(join(folder, 'rows.jsonl'), 'w+', 0o600), rows);
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Waits until all rows are read, but not longer than so many milliseconds. */
  async wait(ms: number): Promise<void> {
    if (!this.#isDone) await Promise.race([this.#read, sleep(ms)]);
    if (this.#error) throw this.#error;
  }

  /** Waits for a row; nothing if the data has no such row. */
  async row(id: number): Promise<PositionedRow | undefined> {
    while (!this.#has(id) && !this.#isDone) await this.wait(50);
    return this.known(id);
  }

  /** A row, or the first one, and its neighbours; waits for them. */
  async around(id: number | undefined): Promise<RowAmongOthers | undefined> {
    const placeOf = () => (id === undefined ? 1 : this.#places.get(id));
    while ((placeOf() === 0 || this.#count <= placeOf()) && !this.#isDone) await this.wait(50);
    await this.wait(0);
    const place = placeOf();
    const found = this.#order.get(place - 1) - 1;
    const row = place === 0 || found < 0 ? undefined : await this.known(found);
    if (!row) return undefined;
    const previous = place > 1 ? this.#order.get(place - 2) - 1 : -1;
    const next = this.#order.get(place) - 1;
    return { row, ...(previous >= 0 && { previous }), ...(next >= 0 && { next }) };
  }

  /** Whether a row that was read is kept with all that it holds. */
  isWhole(id: number): boolean {
    return !this.#partial.has(id);
  }

  /** Waits until nothing is read any more. */
  async ended(): Promise<void> {
    await this.#read;
  }

  /** A row, if it was read already. */
  async known(id: number): Promise<PositionedRow | undefined> {
    if (!this.#has(id)) return undefined;
    const line = await readLineAt(this.#handle, this.#offsets.get(id) - 1);
    if (!line) return undefined;
    return { id, position: this.#positions.get(id) - 1, row: unpackRow(line.toString()).row };
  }

  /** What a list shows of a row, if that was read already. */
  async texts(id: number): Promise<Readonly<Record<string, string>> | undefined> {
    const short = this.#has(id) ? this.#large.get(id) : undefined;
    if (short) return short;
    const found = await this.known(id);
    return found && columnTexts(found.row);
  }

  /** All rows, packed, a batch at a time; those that are not read yet come as they are. */
  async *lines(): AsyncGenerator<readonly Positioned<string>[]> {
    let from = { offset: 0, line: 1 };
    for (;;) {
      const isLast = this.#isDone;
      const { end } = yield* readLines(this.#file, ({ text = '' }) => text, from);
      if (isLast || this.#isClosed) return;
      from = { offset: end, line: 1 };
      await this.wait(followMs);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#read.catch(() => undefined);
    await this.#handle.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #has(id: number): boolean {
    return this.#offsets.get(id) !== 0;
  }

  async #readAll(rows: Evaluation['rows']): Promise<void> {
    try {
      let pending: string[] = [];
      let bytes = 0;
      let places: [id: number, position: number, offset: number][] = [];
      const flush = async () => {
        await this.#handle.write(pending.join(''), this.#written - bytes);
        for (const [id, position, offset] of places) {
          this.#offsets.set(id, offset + 1);
          this.#positions.set(id, position + 1);
          this.#order.set(this.#count, id + 1);
          this.#count += 1;
          this.#places.set(id, this.#count);
        }
        pending = [];
        places = [];
        bytes = 0;
      };
      for await (const batch of rows.batches()) {
        if (this.#isClosed) return;
        await turn();
        for (const { id, position, row } of batch) {
          this.#noteColumns(row);
          if (!isPackable(row)) this.#partial.add(Number(id));
          const line = `${packRow(Number(id), row)}\n`;
          const length = Buffer.byteLength(line);
          if (length > largeRow) this.#large.set(Number(id), columnTexts(row));
          places.push([Number(id), position, this.#written]);
          pending.push(line);
          this.#written += length;
          bytes += length;
          if (bytes >= flushBytes) await flush();
        }
        if (this.#written - bytes === 0) await flush();
      }
      await flush();
    } catch (error) {
      this.#error = error;
    } finally {
      this.#isDone = true;
    }
  }

  #noteColumns(row: Row): void {
    for (const name in row) {
      if (this.columns.size >= maxColumns) return;
      this.columns.add(name);
    }
  }
}
