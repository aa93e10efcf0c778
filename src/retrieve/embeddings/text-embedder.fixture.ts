import { keyedRandom } from '../../base/keyed-random.ts';
import type { Embedder } from './embedder.ts';

/** Vectors that depend on the text alone; `asked` holds every text that was asked for. */
export function textEmbedder(length = 8): Embedder & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    identity: { type: 'fixture', length },
    async embed(texts) {
      asked.push(...texts);
      return texts.map((text) => {
        const random = keyedRandom(1, text);
        return Float32Array.from({ length }, () => random.next() - 0.5);
      });
    },
  };
}

/** An embedder that has the vectors of some texts at hand. */
export function knownEmbedder(vectors: Readonly<Record<string, readonly number[]>>): Embedder {
  return {
    identity: { type: 'known' },
    embed: async (texts) => texts.map((text) => Float32Array.from(vectors[text] ?? [])),
  };
}
