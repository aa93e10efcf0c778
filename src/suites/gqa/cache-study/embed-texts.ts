import { DataError } from '../../../errors.ts';
import type { EmbeddingModel } from '../../../model/embedding-model.ts';
import { checkVectors } from '../../../retrieve/embeddings/embedder.ts';
import {
  type NormalizeOptions,
  normalizeVectors,
  type VectorTable,
} from './search/vector-table.ts';

export interface EmbedOptions extends NormalizeOptions {
  readonly embedder: EmbeddingModel;
  /** The length that vectors must have, if it is known. */
  readonly dims?: number | undefined;
  readonly signal: AbortSignal;
}

/** Vectors, and which of them belongs to which sample. */
export interface SampleVectors {
  readonly table: VectorTable;
  readonly rows: Int32Array;
}

const batchSize = 1024;

/** Turns texts into vectors; equal texts are encoded once. */
export async function embedTexts(
  texts: readonly string[],
  { embedder, dims, signal, ...normalizing }: EmbedOptions,
): Promise<SampleVectors> {
  const numbers = new Map<string, number>();
  const rows = Int32Array.from(texts, (text) => {
    const row = numbers.get(text) ?? numbers.size;
    numbers.set(text, row);
    return row;
  });
  const distinct = [...numbers.keys()];
  let values = new Float32Array();
  let length = dims;
  for (let start = 0; start < distinct.length; start += batchSize) {
    const batch = distinct.slice(start, start + batchSize);
    const vectors = await embedder.embed(batch, { signal });
    const found = vectors[0]?.length ?? 0;
    if (dims !== undefined && found !== dims) throw wrongLength(found, dims);
    length = checkVectors(vectors, { texts: batch, length }) ?? found;
    if (start === 0) values = new Float32Array(distinct.length * length);
    for (const [index, vector] of vectors.entries()) values.set(vector, (start + index) * length);
  }
  return { table: normalizeVectors(values, length ?? 1, normalizing), rows };
}

export function wrongLength(found: number, wanted: number): DataError {
  return new DataError(
    'gqa.bad_vectors',
    `The vectors have ${found} dimensions, but the layer has ${wanted}`,
    { hint: `Write the layer as NAME:${found}[:THRESHOLD], or use another encoder.` },
  );
}
