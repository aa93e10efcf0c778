import type { CacheLayers, CacheStep } from './simulate.ts';

/** What each layer did for a sample, in the words of the original: hit, miss or skip. */
export function statusesOf(
  { sample, source, rejected }: CacheStep,
  { layers, hasKey }: { readonly layers: CacheLayers; readonly hasKey: boolean },
): Record<string, string> {
  const isExact = source === 'text:exact';
  const isNear = source?.startsWith('embedding:') || rejected !== null;
  const whole = source !== null || rejected !== null ? 'hit' : 'miss';
  const embedding = layers.embedding.map(({ name, rows }) => {
    const hasVector = (rows[sample] ?? -1) >= 0;
    const status = source === `embedding:${name}` ? 'hit' : hasVector ? 'miss' : 'skip';
    const refused = rejected === name ? 'miss:image_mismatch' : status;
    return [`embedding:${name}`, isExact ? 'skip' : refused];
  });
  const semantic = source === 'text' ? 'hit' : 'miss';
  return {
    kv_cache: whole,
    ...(layers.backend !== 'semantic-kv' && { model_router: whole }),
    exact_text: !layers.exact || !hasKey ? 'skip' : isExact ? 'hit' : 'miss',
    semantic_text: !layers.semantic || isExact || isNear ? 'skip' : semantic,
    ...Object.fromEntries(embedding),
  };
}
