import type { CausalGraph, GraphOutput } from './causal-graph.ts';
import { type CacheArray, cacheArray, type KvBlock, moveRow, putBlocks } from './kv-block.ts';

/** A sequence that is being written, a token at a time. */
export interface DecodeRow {
  /** How many tokens the model has read. */
  length: number;
  /** The token that it reads next. */
  next: number;
  isDone: boolean;
  /** What the model keeps of the tokens; empty once the row is part of the group's cache. */
  blocks: readonly KvBlock[];
}

/** Room for more tokens costs time at every step, and a new cache costs as much as it is long. */
function spareFor(length: number): number {
  return Math.max(8, length >> 3);
}

/** Rows that are written together, each from where it stands. */
export class DecodeGroup<Row extends DecodeRow> {
  readonly #graph: CausalGraph;
  /** Whether new tokens are put into the cache, or the graph gives a whole cache after each. */
  readonly #hasRoom: boolean;
  /** The rows of the cache; some may be done. */
  #rows: Row[] = [];
  #joining: Row[] = [];
  #cache: readonly CacheArray[] = [];
  #stride = 0;
  /** Where the tokens of all rows end. */
  #end = 0;
  /** Where the next cache is made. */
  #spare: readonly CacheArray[] = [];

  constructor(graph: CausalGraph, { allowsPadding }: { readonly allowsPadding: boolean }) {
    this.#graph = graph;
    this.#hasRoom = allowsPadding && graph.givesNewPositions;
  }

  get rows(): Row[] {
    return [...this.#rows, ...this.#joining].filter(({ isDone }) => !isDone);
  }

  join(row: Row): void {
    this.#joining.push(row);
  }

  /** Lets every row read its next token, and tells the logits of each. */
  async step(read: (row: Row, logits: Float32Array) => void): Promise<void> {
    if (this.#wantsNewCache()) this.#makeCache();
    const rows = this.#rows;
    const output = await this.#graph.run(
      {
        tokens: rows.map(({ next }) => Int32Array.of(next)),
        pastLengths: rows.map(({ length }) => length),
        pastEnd: this.#end,
        past: this.#cache,
        pastStride: this.#stride,
      },
      { logits: true, cache: this.#hasRoom ? 'new' : 'whole' },
    );
    this.#keep(output);
    rows.forEach((row, index) => {
      row.length += 1;
      if (!row.isDone) read(row, output.logitsAt(index, 0));
    });
  }

  /** Keeps what the model made of the new tokens. */
  #keep({ cache }: GraphOutput): void {
    this.#end += 1;
    if (!this.#hasRoom) {
      this.#cache = cache;
      this.#stride += 1;
      return;
    }
    const { heads, size } = this.#graph.shape;
    const segments = this.#rows.length * heads;
    cache.forEach((added, part) => {
      const target = this.#cache[part] as CacheArray;
      for (let segment = 0; segment < segments; segment += 1) {
        const from = segment * size;
        const to = (segment * this.#stride + this.#end - 1) * size;
        for (let index = 0; index < size; index += 1) {
          target[to + index] = added[from + index] as number;
        }
      }
    });
  }

  /** Rows that are done cost as much as others; making a new cache costs about one step. */
  #wantsNewCache(): boolean {
    if (this.#joining.length > 0 || (this.#hasRoom && this.#end === this.#stride)) return true;
    const live = this.rows;
    const longest = Math.max(...live.map(({ length }) => length));
    return live.length * 4 <= this.#rows.length * 3 || longest * 4 <= this.#end * 3;
  }

  #makeCache(): void {
    const { shape } = this.#graph;
    const rows = this.rows;
    const end = Math.max(...rows.map(({ length }) => length));
    const stride = this.#hasRoom ? end + spareFor(end) : end;
    const cache = this.#takeSpare(rows.length * stride);
    rows.forEach((row, index) => {
      const target = { batch: cache, row: index, stride, end };
      const previous = this.#rows.indexOf(row);
      if (previous < 0) {
        putBlocks(target, row.blocks, shape);
        row.blocks = [];
      } else {
        const source = { batch: this.#cache, row: previous, stride: this.#stride, end: this.#end };
        moveRow(source, target, { length: row.length, shape });
      }
    });
    this.#rows = rows;
    this.#joining = [];
    this.#spare = this.#cache;
    this.#cache = cache;
    this.#stride = stride;
    this.#end = end;
  }

  #takeSpare(positions: number): readonly CacheArray[] {
    // A graph that gives whole caches replaces this one after the next token.
    if (!this.#hasRoom) return this.#graph.cacheRoom(positions);
    const { parts, heads, size } = this.#graph.shape;
    const length = positions * heads * size;
    return Array.from({ length: parts }, (_, part) => {
      const spare = this.#spare[part];
      return spare && spare.length >= length
        ? spare.subarray(0, length)
        : cacheArray(this.#graph.shape, length);
    });
  }
}
