import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyedRandom } from '../base/keyed-random.ts';
import { ValueCounts } from './value-counts.ts';

function countAll(values: readonly number[]): ValueCounts {
  const counts = new ValueCounts();
  for (const value of values) counts.add(value);
  return counts;
}

test('few different values are counted as they are', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (values) => {
      const expected = new Map<number, number>();
      for (const value of values) expected.set(value, (expected.get(value) ?? 0) + 1);
      expect(new Map(countAll(values).entries())).toEqual(expected);
    }),
  );
});

test('many different values are counted in bounded memory, near where they are', () => {
  const random = keyedRandom(0, 'values');
  const values = Array.from({ length: 100_000 }, () => random.next() - 0.25);
  const counts = countAll(values);
  const entries = counts.entries();
  expect(entries.length).toBeLessThanOrEqual(4096);
  expect(entries.length).toBeGreaterThan(1000);
  expect(entries.reduce((sum, [, count]) => sum + count, 0)).toBe(counts.size);
  const coarseMean = entries.reduce((sum, [value, count]) => sum + value * count, 0) / counts.size;
  expect(coarseMean).toBeCloseTo(counts.mean, 2);
  expect(countAll(values.toReversed()).entries()).toEqual(entries);
});

test('values of every size still fit', () => {
  const sizes = Array.from({ length: 40_000 }, (_, index) => 1.37 ** ((index % 4000) - 2000));
  const signed = sizes.map((value, index) => (index % 2 === 0 ? value : -value * 1.1));
  expect(countAll(signed).entries().length).toBeLessThanOrEqual(4096);
});

test('the mean does not drift', () => {
  expect(countAll([1e16, 1, -1e16, 1]).mean).toBe(0.5);
  expect(countAll(Array.from({ length: 1000 }, () => 0.1)).mean).toBe(0.1);
});
