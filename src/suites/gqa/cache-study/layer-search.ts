import { VectorIndex } from './search/vector-index.ts';
import { similarity, type VectorTable } from './search/vector-table.ts';

/** A layer that compares vectors. */
export interface LayerVectors {
  readonly name: string;
  /** The lowest similarity that counts as the same. */
  readonly threshold: number;
  readonly table: VectorTable;
  /** The table's row of each sample; below 0 for samples without a vector. */
  readonly rows: Int32Array;
}

/** A stored sample, and how alike it is. */
export interface StoredMatch {
  readonly from: number;
  readonly score: number;
}

/** Searches a layer for blocks of samples at a time. */
export class LayerSearch {
  readonly #layer: LayerVectors;
  readonly #index: VectorIndex;
  /** The sample of each entry of the index. */
  readonly #stored: number[] = [];
  #matches = new Map<number, StoredMatch>();
  #threshold: number;

  constructor(layer: LayerVectors) {
    this.#layer = layer;
    this.#threshold = layer.threshold;
    this.#index = new VectorIndex(layer.table);
  }

  get name(): string {
    return this.#layer.name;
  }

  reset(threshold = this.#layer.threshold): void {
    this.#threshold = threshold;
    this.#index.reset(threshold);
    this.#stored.length = 0;
    this.#matches.clear();
  }

  add(sample: number): void {
    const row = this.#rowOf(sample);
    if (row < 0) return;
    this.#index.add(row);
    this.#stored.push(sample);
  }

  /** Finds what these samples are most like among all that was added. */
  prepare(samples: readonly number[]): void {
    const withVector = samples.filter((sample) => this.#rowOf(sample) >= 0);
    const found = this.#index.search(withVector.map((sample) => this.#rowOf(sample)));
    this.#matches = new Map();
    for (const [index, match] of found.entries()) {
      if (!match) continue;
      const from = this.#stored[match.entry] as number;
      this.#matches.set(withVector[index] as number, { from, score: match.score });
    }
  }

  /** Whether a sample that was prepared is like one that was added. */
  hasMatch(sample: number): boolean {
    return this.#matches.has(sample);
  }

  /** What a sample that was prepared is most like, also among these, which were not added yet. */
  match(sample: number, fresh: readonly number[]): StoredMatch | undefined {
    let best = this.#matches.get(sample);
    const row = this.#rowOf(sample);
    if (row < 0) return undefined;
    for (const from of fresh) {
      if (this.#rowOf(from) < 0) continue;
      const score = similarity(this.#layer.table, row, this.#rowOf(from));
      if (score >= this.#threshold && (!best || score > best.score)) best = { from, score };
    }
    return best;
  }

  #rowOf(sample: number): number {
    return this.#layer.rows[sample] ?? -1;
  }
}
