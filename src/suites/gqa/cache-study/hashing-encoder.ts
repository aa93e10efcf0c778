import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '../../../model/embedding-model.ts';
import type { GqaCompat } from '../compat.ts';

/**
 * Turns texts into vectors without a model: each word counts at an index that its hash decides, so
 * that texts are near each other if they share words.
 */
export function hashingEncoder(dims: number, compat?: GqaCompat): EmbeddingModel {
  const words = compat ? /[a-z0-9]+/g : /[\p{L}\p{M}\p{N}]+/gu;
  const indexes = new Map<string, number>();
  const indexOf = (word: string): number => {
    const known = indexes.get(word);
    if (known !== undefined) return known;
    const index = createHash('sha256').update(word).digest().readUInt32LE(0) % dims;
    indexes.set(word, index);
    return index;
  };
  const encode = (text: string): Float32Array => {
    const vector = new Float32Array(dims);
    for (const [word] of text.toLowerCase().matchAll(words)) {
      const index = indexOf(word);
      vector[index] = (vector[index] ?? 0) + 1;
    }
    return vector;
  };
  return { embed: async (texts) => texts.map(encode) };
}
