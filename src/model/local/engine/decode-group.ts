import type { CausalGraph } from './causal-graph.ts';
import { type CacheArray, type KvBlock, moveRow, putBlocks } from './kv-block.ts';

/** A text that is being written, a token at a time. */
export interface DecodeRow {
  /** How many tokens the model has read. */
  length: number;
  /** The token that it reads next. */
  next: number;
  isDone: boolean;
  /** What the model keeps of the tokens; empty once the row is part of the group's cache. */
  blocks: readonly KvBlock[];
}

/** Rows that are written together, each from where it stands. */
export class DecodeGroup<Row extends DecodeRow> {
  readonly #graph: CausalGraph;
  /** The rows of the cache; some may be done. */
  #rows: Row[] = [];
  #joining: Row[] = [];
  #cache: readonly CacheArray[] = [];
  #stride = 0;

  constructor(graph: CausalGraph) {
    this.#graph = graph;
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
        past: this.#cache,
        pastStride: this.#stride,
      },
      { logits: true, cache: 'whole' },
    );
    this.#cache = output.cache;
    this.#stride += 1;
    rows.forEach((row, index) => {
      row.length += 1;
      if (!row.isDone) read(row, output.logitsAt(index, 0));
    });
  }

  /** Rows that are done cost as much as others; making a new cache costs about one step. */
  #wantsNewCache(): boolean {
    if (this.#joining.length > 0) return true;
    const live = this.rows;
    const longest = Math.max(...live.map(({ length }) => length));
    return live.length * 4 <= this.#rows.length * 3 || longest * 4 <= this.#stride * 3;
  }

  #makeCache(): void {
    const { shape } = this.#graph;
    const rows = this.rows;
    const stride = Math.max(...rows.map(({ length }) => length));
    const cache = this.#graph.cacheRoom(rows.length * stride);
    rows.forEach((row, index) => {
      const target = { batch: cache, row: index, stride, end: stride };
      const place = this.#rows.indexOf(row);
      if (place < 0) {
        putBlocks(target, row.blocks, shape);
        row.blocks = [];
      } else {
        const before = this.#stride;
        const source = { batch: this.#cache, row: place, stride: before, end: before };
        moveRow(source, target, { length: row.length, shape });
      }
    });
    this.#rows = rows;
    this.#joining = [];
    this.#cache = cache;
    this.#stride = stride;
  }
}
