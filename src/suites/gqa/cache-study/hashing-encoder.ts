import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '../../../model/embedding-model.ts';
import type { GqaCompat } from '../compat.ts';

/** Where a word counts, and how: once up or once down. */
interface Place {
  readonly index: number;
  readonly sign: 1 | -1;
}

/** So many that hardly two words have them in common. */
const placesOfWord = 8;

/**
 * Turns texts into vectors without a model: each word counts at several places that its hash decides,
 * up or down, so that texts are near each other if they share words, and not by chance. The original
 * has one place for a word.
 */
export function hashingEncoder(dims: number, compat?: GqaCompat): EmbeddingModel {
  const words = compat ? /[a-z0-9]+/g : /[\p{L}\p{M}\p{N}]+/gu;
  const known = new Map<string, readonly Place[]>();
  const placesOf = (word: string): readonly Place[] => {
    const places = known.get(word) ?? (compat ? onePlace(word, dims) : severalPlaces(word, dims));
    known.set(word, places);
    return places;
  };
  const encode = (text: string): Float32Array => {
    const vector = new Float32Array(dims);
    for (const [word] of text.toLowerCase().matchAll(words)) {
      for (const { index, sign } of placesOf(word)) vector[index] = (vector[index] ?? 0) + sign;
    }
    return vector;
  };
  return { embed: async (texts) => texts.map(encode) };
}

function onePlace(word: string, dims: number): Place[] {
  return [{ index: hashOf(word).readUInt32LE(0) % dims, sign: 1 }];
}

/** A place counts once, so that no word takes itself away. */
function severalPlaces(word: string, dims: number): Place[] {
  const hash = hashOf(word);
  const places = new Map<number, Place>();
  for (let at = 0; at < placesOfWord; at++) {
    const number = hash.readUInt32LE(at * 4);
    const index = (number >>> 1) % dims;
    if (!places.has(index)) places.set(index, { index, sign: number & 1 ? 1 : -1 });
  }
  return [...places.values()];
}

function hashOf(word: string): Buffer {
  return createHash('sha256').update(word).digest();
}
