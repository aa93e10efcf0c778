import { DataError } from '../../errors.ts';

/** Turns texts into vectors that are near each other where the texts mean alike. */
export interface Embedder {
  /** What tells its vectors from those of others; part of cache keys, without secrets. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** One vector for each text, all of one length. */
  embed(
    texts: readonly string[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]>;
}

/** Refuses vectors that cannot be compared. Gives their length, or the expected one if there are none. */
export function checkVectors(
  vectors: readonly Float32Array[],
  { texts, length: expected }: { texts: readonly string[]; length?: number | undefined },
): number | undefined {
  if (vectors.length !== texts.length) {
    throw badEmbedding(`${texts.length} texts were given, ${vectors.length} vectors came back`);
  }
  let length = expected;
  for (const [index, vector] of vectors.entries()) {
    length ??= vector.length;
    if (vector.length === 0) throw badEmbedding(`no numbers for ${shown(texts[index])}`);
    if (vector.length !== length) {
      throw badEmbedding(
        `${vector.length} numbers for ${shown(texts[index])}, but ${length} for texts before it`,
      );
    }
    if (!vector.every(Number.isFinite)) {
      throw badEmbedding(`a number that is not finite for ${shown(texts[index])}`);
    }
  }
  return length;
}

export function zeroVector(text: string | undefined): DataError {
  return badEmbedding(`nothing but zeros for ${shown(text)}, so that nothing is near it`);
}

function badEmbedding(problem: string): DataError {
  return new DataError('retrieve.bad_embedding', `The embedder gave ${problem}`, {
    hint: 'Is it an embedding model, and always the same one? See the log of the server.',
  });
}

function shown(text = ''): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
