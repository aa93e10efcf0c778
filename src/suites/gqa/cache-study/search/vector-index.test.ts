import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyedRandom } from '../../../../base/keyed-random.ts';
import { blockSize, type Match, VectorIndex } from './vector-index.ts';
import { normalizeVectors, similarity, type VectorTable } from './vector-table.ts';

/** Vectors of which some are near others, some equal, some zero. */
function makeTable(seed: number, { dims, count }: { dims: number; count: number }): VectorTable {
  const random = keyedRandom(seed, 'vectors');
  const values = new Float32Array(count * dims);
  for (let row = 0; row < count; row++) {
    const kind = random.next();
    const other = row === 0 ? 0 : random.below(row);
    const noise = kind < 0.2 ? 0 : (kind * 2) / Math.sqrt(dims);
    for (let index = 0; index < dims; index++) {
      const near = kind < 0.6 ? (values[other * dims + index] ?? 0) : 0;
      values[row * dims + index] = kind > 0.95 ? 0 : near + noise * (random.next() - 0.5);
    }
  }
  return normalizeVectors(values, dims);
}

function compareWithAll(
  table: VectorTable,
  { entries, query, threshold }: { entries: number; query: number; threshold: number },
): Match | undefined {
  let best: Match | undefined;
  for (let entry = 0; entry < entries; entry++) {
    const score = similarity(table, query, entry);
    if (score >= threshold && (!best || score > best.score)) best = { entry, score };
  }
  return best;
}

const cases = fc.record({
  seed: fc.nat(),
  dims: fc.constantFrom(1, 2, 31, 32, 33, 64, 100, 384),
  entries: fc.integer({ min: 0, max: 60 }),
  queries: fc.integer({ min: 1, max: blockSize }),
  threshold: fc.constantFrom(-1, 0, 0.3, 0.5, 0.8, 0.9, 0.999, 1),
});

test('finds what a comparison with all entries finds', () => {
  fc.assert(
    fc.property(cases, ({ seed, dims, entries, queries, threshold }) => {
      const table = makeTable(seed, { dims, count: entries + queries });
      const index = new VectorIndex(table);
      index.reset(threshold);
      for (let row = 0; row < entries; row++) index.add(row);
      const rows = Array.from({ length: queries }, (_, number) => entries + number);
      expect(index.search(rows)).toEqual(
        rows.map((query) => compareWithAll(table, { entries, query, threshold })),
      );
    }),
    { numRuns: 60 },
  );
});

describe('with more entries than are looked at in one go', () => {
  const count = 3000;
  const table = makeTable(5, { dims: 40, count });
  const index = new VectorIndex(table);
  const rows = Array.from({ length: blockSize }, (_, number) => count - 1 - number);

  test.each([0.2, 0.6, 0.9, 0.6])('threshold %d, again and again', (threshold) => {
    index.reset(threshold);
    const half = count / 2;
    for (let row = 0; row < half; row++) index.add(row);
    for (let round = 0; round < 4; round++) {
      expect(index.search(rows)).toEqual(
        rows.map((query) => compareWithAll(table, { entries: half, query, threshold })),
      );
    }
  });
});

test('of equal entries the first is found', () => {
  const table = normalizeVectors(Float32Array.from([0, 1, 3, 4, 6, 8, 3, 4]), 2);
  const index = new VectorIndex(table);
  index.reset(0.5);
  for (const row of [0, 1, 2]) index.add(row);
  expect(index.search([3])).toEqual([{ entry: 1, score: 1 }]);
});
