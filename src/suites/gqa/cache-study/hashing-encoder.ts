import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '../../../model/embedding-model.ts';
import type { GqaCompat } from '../compat.ts';

/**
 * Turns texts into vectors without a model: each word counts in a place that its hash decides, so
 * that texts are near each other if they share words.
 */
export function hashingEncoder(dims: number, compat?: GqaCompat): EmbeddingModel {
  const words = compat ? /[a-z0-9]+/g : /[\p{L}\p{M}\p{N}]+/gu;
  const places = new Map<string, number>();
  const placeOf = (word: string): number => {
    const known = places.get(word);
    if (known !== undefined) return known;
    const place = createHash('sha256').update(word).digest().readUInt32LE(0) % dims;
    places.set(word, place);
    return place;
  };
  const encode = (text: string): Float32Array => {
    const vector = new Float32Array(dims);
    for (const [word] of text.toLowerCase().matchAll(words)) {
      const place = placeOf(word);
      vector[place] = (vector[place] ?? 0) + 1;
    }
    return vector;
  };
  return { embed: async (texts) => texts.map(encode) };
}
