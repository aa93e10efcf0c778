import { hash } from 'node:crypto';
import { checkVectors, type Embedder } from './embedder.ts';
import { keyBytes, keyName } from './vector-segment.ts';
import { VectorStore } from './vector-store.ts';

/** Texts embedded between two writes to the disk. */
const batchTexts = 1024;

/**
 * An embedder that caches its vectors in a folder, by model and text.
 *
 * @example
 * const embedder = {
 *   identity: { model: 'letters' },
 *   embed: async (texts: readonly string[]) => texts.map(({ length }) => Float32Array.of(length, 1)),
 * };
 * const cached = cachedEmbedder(embedder, folder);
 * (await cached.embed(['a cat', 'a cat'], { signal })).length; // 2
 */
export function cachedEmbedder(embedder: Embedder, folder: string): Embedder {
  const name = hash('sha256', JSON.stringify(embedder.identity), 'hex').slice(0, 16);
  let opening: Promise<VectorStore> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const fill = async (texts: readonly KeyedText[], signal: AbortSignal): Promise<VectorStore> => {
    opening ??= VectorStore.open(folder, name);
    const store = await opening;
    const missing = texts.filter(({ key }) => !store.has(key));
    for (let start = 0; start < missing.length; start += batchTexts) {
      const batch = missing.slice(start, start + batchTexts);
      const batchOfTexts = batch.map(({ text }) => text);
      const vectors = await embedder.embed(batchOfTexts, { signal });
      checkVectors(vectors, { texts: batchOfTexts, length: store.length });
      await store.add(
        batch.map(({ key }, index) => ({ key, vector: vectors[index] as Float32Array })),
      );
    }
    return store;
  };
  return {
    identity: embedder.identity,
    async embed(texts, { signal }) {
      const keyed = texts.map(keyText);
      const distinct = new Map(keyed.map((text) => [keyName(text.key), text]));
      // One after the other: the second may want what the first one makes.
      const filled = turn.then(() => fill([...distinct.values()], signal));
      turn = filled.catch(() => undefined);
      const store = await filled;
      return store.read(keyed.map(({ key }) => key));
    },
  };
}

interface KeyedText {
  readonly key: Buffer;
  readonly text: string;
}

function keyText(text: string): KeyedText {
  return { key: hash('sha256', text, 'buffer').subarray(0, keyBytes), text };
}
