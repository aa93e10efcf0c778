import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NamedRow } from '../../prompt/trace.ts';
import type { Pool } from '../pool.ts';
import type { Query } from '../retriever.ts';
import type { RowText } from '../row-text.ts';
import { TopList } from '../top-list.ts';
import { checkVectors, type Embedder } from './embedder.ts';
import { normalize, VectorMatrix } from './vector-matrix.ts';

export interface VectorSettings {
  readonly pool: Pool;
  readonly textOf: RowText;
  readonly embedder: Embedder;
  /** Whether texts are compared by cosine, and not by inner product. */
  readonly normalized: boolean;
}

interface Waiting {
  readonly signal: AbortSignal;
}

/** The pool as vectors, made when they are first needed. */
export class PoolVectors {
  readonly #settings: VectorSettings;
  #matrix: Promise<VectorMatrix> | undefined;

  constructor(settings: VectorSettings) {
    this.#settings = settings;
  }

  matrix(waiting: Waiting): Promise<VectorMatrix> {
    this.#matrix ??= this.#embed(this.#settings.pool.rows, waiting).then(
      (vectors) => new VectorMatrix(vectors),
      (error: unknown) => {
        this.#matrix = undefined;
        throw error;
      },
    );
    return this.#matrix;
  }

  /** The rows nearest to each query among those that it can have, nearest first. */
  async nearest(
    queries: readonly Query[],
    { count, wanted, signal }: NearestOptions,
  ): Promise<Neighbours[]> {
    const matrix = await this.matrix({ signal });
    const vectors = await this.#embed(queries, { signal }, matrix.size);
    const found: Neighbours[] = [];
    for (const [position, query] of queries.entries()) {
      const { members, own } = this.#settings.pool.choicesFor(query, wanted);
      const vector = vectors[position] as Float32Array;
      const top = new TopList(count);
      for (const index of members) {
        const score = matrix.product(index, vector);
        if (score >= top.threshold && !own.includes(index)) top.offer(index, score);
      }
      found.push(top);
      await nextTurn();
      signal.throwIfAborted();
    }
    return found;
  }

  async #embed(
    rows: readonly NamedRow[],
    { signal }: Waiting,
    length?: number,
  ): Promise<readonly Float32Array[]> {
    const { textOf, embedder, normalized } = this.#settings;
    const texts = rows.map(({ row }) => textOf(row));
    const vectors = await embedder.embed(texts, { signal });
    checkVectors(vectors, { texts, length });
    return normalized ? vectors.map((vector, index) => normalize(vector, texts[index])) : vectors;
  }
}

export interface NearestOptions extends Waiting {
  /** How many rows are looked for. */
  readonly count: number;
  /** How many must be there. */
  readonly wanted: number;
}

/** Rows with the nearness of each. */
export interface Neighbours {
  readonly indexes: readonly number[];
  readonly scores: readonly number[];
}
