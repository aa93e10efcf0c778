import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyedRandom } from '../../../../base/keyed-random.ts';
import { groupSize, Sketches } from './sketches.ts';
import { normalizeVectors, similarity } from './vector-table.ts';

const count = 60;
const rows = Array.from({ length: count }, (_, row) => row);

/** Vectors, most of which are near an earlier one; the fewer numbers they have, the sparser. */
function makeTable(seed: number, { dims, filled }: { dims: number; filled: number }) {
  const random = keyedRandom(seed, 'sketches');
  const values = new Float32Array(count * dims);
  for (let index = 0; index < values.length; index++) {
    const near = index >= dims ? (values[index - dims] as number) * 2 : 0;
    values[index] = random.next() < filled ? near + random.next() - 0.5 : near;
  }
  return normalizeVectors(values, dims);
}

const cases = fc.record({
  seed: fc.nat(),
  dims: fc.constantFrom(1, 2, 7, 32, 33, 100, 384, 1000),
  filled: fc.constantFrom(0.02, 0.3, 1),
  threshold: fc.constantFrom(0.1, 0.5, 0.9, 0.999, 1),
});

test('no pair within the angle is left out', () => {
  fc.assert(
    fc.property(cases, ({ seed, dims, filled, threshold }) => {
      const table = makeTable(seed, { dims, filled });
      const sketches = new Sketches(table);
      const queries = rows.slice(-groupSize);
      sketches.prepare(queries);
      const angles = queries.map(() => Math.acos(threshold - 2e-6));
      const found = new Set(sketches.candidates({ rows, start: 0, end: count, angles }));
      const near = rows.filter((row) =>
        queries.some((query) => similarity(table, query, row) >= threshold),
      );
      expect(near.filter((row) => !found.has(row))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test.each([1, 0.05])('vectors that have nothing to do with each other are left out', (filled) => {
  const random = keyedRandom(1, 'unrelated');
  const values = Float32Array.from({ length: count * 384 }, () =>
    random.next() < filled ? random.next() - 0.5 : 0,
  );
  const sketches = new Sketches(normalizeVectors(values, 384));
  sketches.prepare([0]);
  const angles = [Math.acos(0.8)];
  expect(sketches.candidates({ rows, start: 0, end: count, angles })).toEqual([0]);
});
