import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyedRandom } from '../../../base/keyed-random.ts';
import { exactKey } from './exact-key.ts';
import type { LayerVectors } from './layer-search.ts';
import { normalizeVectors, similarity } from './search/vector-table.ts';
import {
  type CachedSample,
  type CacheLayers,
  CacheSimulation,
  type CacheStep,
} from './simulate.ts';
import { statusesOf } from './statuses.ts';

const dims = 6;

function makeLayer(name: string, { seed, count }: { seed: number; count: number }): LayerVectors {
  const random = keyedRandom(seed, name);
  const values = Float32Array.from({ length: count * dims }, () => random.below(3) - 1);
  const rows = Int32Array.from({ length: count }, () => random.below(count + 2) - 2);
  const threshold = [0.5, 0.8, 0.95][random.below(3)] as number;
  return { name, threshold, rows, table: normalizeVectors(values, dims) };
}

/** The rules once more, without any index: each sample is compared with all that is stored. */
function simulateSlowly(samples: readonly CachedSample[], layers: CacheLayers): CacheStep[] {
  const stored: number[] = [];
  const nearest = (layer: LayerVectors, sample: number) => {
    let best: { from: number; score: number } | undefined;
    for (const from of stored) {
      const [left = -1, right = -1] = [layer.rows[sample], layer.rows[from]];
      if (left < 0 || right < 0) continue;
      const score = similarity(layer.table, left, right);
      if (score >= layer.threshold && score > (best?.score ?? -2)) best = { from, score };
    }
    return best;
  };
  const keyOf = (sample: number) => exactKey(samples[sample]?.chunkText ?? '', layers.compat);
  return samples.map((_, sample) => {
    const miss: CacheStep = { sample, source: null, from: null, score: null, rejected: null };
    const equal = stored.find(
      (from) => layers.exact && keyOf(from) === keyOf(sample) && keyOf(from) !== '',
    );
    if (equal !== undefined) return { ...miss, source: 'text:exact', from: equal, score: 1 };
    const [best] = layers.embedding
      .flatMap((layer) => ({ layer: layer.name, match: nearest(layer, sample) }))
      .flatMap(({ layer, match }) => (match ? [{ layer, ...match }] : []))
      .toSorted((left, right) => right.score - left.score);
    const isOther = best && samples[best.from]?.imageId !== samples[sample]?.imageId;
    if (best && !(isOther && layers.compat === '48bab23')) {
      return { ...miss, source: `embedding:${best.layer}`, from: best.from, score: best.score };
    }
    const alike = best ? undefined : layers.semantic && nearest(layers.semantic, sample);
    if (alike) return { ...miss, source: 'text', ...alike };
    stored.push(sample);
    return { ...miss, rejected: best?.layer ?? null };
  });
}

const cases = fc.record({
  seed: fc.nat(),
  count: fc.integer({ min: 0, max: 200 }),
  texts: fc.integer({ min: 1, max: 300 }),
  exact: fc.boolean(),
  embedding: fc.integer({ min: 0, max: 2 }),
  semantic: fc.boolean(),
  compat: fc.constantFrom(undefined, '40a46a9' as const, '48bab23' as const),
});

function makeCase({
  seed,
  count,
  texts,
  exact,
  embedding,
  semantic,
  compat,
}: typeof cases extends fc.Arbitrary<infer Case> ? Case : never) {
  const random = keyedRandom(seed, 'texts');
  const samples = Array.from({ length: count }, () => ({
    chunkText: random.below(20) === 0 ? '日本' : `Text ${random.below(texts)}`,
    imageId: String(random.below(3)),
  }));
  const layers: CacheLayers = {
    exact,
    embedding: ['prompt', 'vision']
      .slice(0, embedding)
      .map((name) => makeLayer(name, { seed, count })),
    semantic: semantic ? makeLayer('semantic', { seed, count }) : undefined,
    compat,
  };
  return { samples, layers };
}

test('does what a comparison with everything stored does', () => {
  fc.assert(
    fc.property(cases, (made) => {
      const { samples, layers } = makeCase(made);
      const simulation = new CacheSimulation(samples, layers);
      expect([...simulation.run()]).toEqual(simulateSlowly(samples, layers));
    }),
  );
});

test('a threshold stands for those of all layers, and the next run starts anew', () => {
  fc.assert(
    fc.property(cases, fc.constantFrom(0.1, 0.6, 0.9), (made, threshold) => {
      const { samples, layers } = makeCase(made);
      const simulation = new CacheSimulation(samples, layers);
      const at = (layer: LayerVectors) => ({ ...layer, threshold });
      const changed = {
        ...layers,
        embedding: layers.embedding.map(at),
        semantic: layers.semantic && at(layers.semantic),
      };
      expect([...simulation.run(threshold)]).toEqual(simulateSlowly(samples, changed));
      expect([...simulation.run()]).toEqual(simulateSlowly(samples, layers));
    }),
    { numRuns: 30 },
  );
});

describe('statuses', () => {
  const one = (name: string, row: number): LayerVectors => ({
    name,
    threshold: 0.8,
    rows: Int32Array.of(row),
    table: normalizeVectors(Float32Array.of(1), 1),
  });
  const layers: CacheLayers = {
    exact: true,
    embedding: [one('prompt', 0), one('vision', -1)],
    semantic: one('semantic', 0),
  };
  const step = { sample: 0, source: null, from: null, score: null, rejected: null };

  test.each([
    [step, 'miss miss miss miss skip'],
    [{ ...step, source: 'text:exact' }, 'hit hit skip skip skip'],
    [{ ...step, source: 'embedding:prompt' }, 'hit miss skip hit skip'],
    [{ ...step, source: 'text' }, 'hit miss hit miss skip'],
    [{ ...step, rejected: 'prompt' }, 'hit miss skip miss:image_mismatch skip'],
  ])('%j', (given, expected) => {
    const { model_router, ...statuses } = statusesOf(given, { layers, hasKey: true });
    expect(Object.values(statuses).join(' ')).toBe(expected);
    expect(model_router).toBe(statuses.kv_cache);
  });

  test('a text of which nothing is left to compare', () => {
    expect(statusesOf(step, { layers, hasKey: false }).exact_text).toBe('skip');
  });
});
