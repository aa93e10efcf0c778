import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyedRandom } from '../base/keyed-random.ts';
import { hasInterval } from './estimate.ts';
import { CellTally, SumTally } from './tallies.ts';
import { wilson } from './wilson.ts';

const shareOfRight = (cells: readonly string[]) => (counts: ArrayLike<number>) => {
  const all = Array.from(counts);
  const right = all.filter((_, index) => cells[index] === 'right');
  return sum(right) / sum(all);
};

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function cellsOf(cells: Readonly<Record<string, number>>): CellTally {
  const tally = new CellTally();
  for (const [cell, count] of Object.entries(cells)) {
    for (let index = 0; index < count; index += 1) tally.add(cell);
  }
  return tally;
}

test.each([
  [400, 600],
  [40_000, 160_000],
])('a rate over %d and %d rows of a table is as uncertain as theory says', (right, wrong) => {
  const estimate = cellsOf({ right, wrong }).estimate(shareOfRight, { seed: 1 });
  const expected = wilson(right, right + wrong);
  expect(estimate?.value).toBe(expected?.value);
  const widths = [estimate, expected].map((of) => (of?.high ?? 0) - (of?.low ?? 0));
  expect((widths[0] ?? 0) / (widths[1] ?? 0)).toBeGreaterThan(0.93);
  expect((widths[0] ?? 0) / (widths[1] ?? 0)).toBeLessThan(1.07);
});

test('cells: the order of rows does not matter, the seed does', () => {
  const cells = { right: 1200, wrong: 700, neither: 300 };
  const estimate = cellsOf(cells).estimate(shareOfRight, { seed: 1 });
  const turned = Object.fromEntries(Object.entries(cells).reverse());
  expect(cellsOf(turned).estimate(shareOfRight, { seed: 1 })).toEqual(estimate);
  expect(cellsOf(cells).estimate(shareOfRight, { seed: 2 })).not.toEqual(estimate);
});

test('a table without rows has no estimate, and one with too many cells neither', () => {
  const tally = new CellTally();
  expect(tally.estimate(shareOfRight, { seed: 0 })).toBeUndefined();
  for (let cell = 0; cell < 65_536; cell += 1) tally.add(String(cell));
  expect(tally.isFull).toBe(false);
  tally.add('0');
  expect(tally.isFull).toBe(false);
  tally.add('one more');
  tally.add('0');
  expect(tally.isFull).toBe(true);
  expect(tally.estimate(shareOfRight, { seed: 0 })).toBeUndefined();
});

test('resamples without a value do not count', () => {
  const ofWrong = (cells: readonly string[]) => {
    const share = shareOfRight(cells);
    const wrong = cells.indexOf('wrong');
    return (counts: ArrayLike<number>) => (counts[wrong] ? share(counts) : Number.NaN);
  };
  const estimate = cellsOf({ right: 45, wrong: 5 }).estimate(ofWrong, { seed: 0 });
  expect(estimate).toMatchObject({ low: 0.8, value: 0.9, high: 0.98 });
  expect(cellsOf({ right: 3 }).estimate(ofWrong, { seed: 0 })).toBeUndefined();
});

const ratio = (sums: Float64Array) => (sums[0] ?? 0) / (sums[1] ?? 0);

function sumsOf(rows: readonly (readonly [string | number, number, number])[], seed = 0): SumTally {
  const tally = new SumTally(seed);
  for (const [id, ...counts] of rows) tally.add(id, counts);
  return tally;
}

function draw(seed: number, count: number): [number, number, number][] {
  const random = keyedRandom(seed, 'rows');
  return Array.from({ length: count }, (_, id) => {
    const size = 1 + random.below(9);
    return [id, random.below(size + 1), size];
  });
}

test('a ratio of sums is as uncertain as theory says', () => {
  const rows = draw(3, 20_000);
  const estimate = sumsOf(rows).estimate(ratio);
  const total = sum(rows.map(([, , size]) => size));
  const value = sum(rows.map(([, hits]) => hits)) / total;
  expect(estimate?.value).toBeCloseTo(value, 14);
  const deviation =
    Math.sqrt(sum(rows.map(([, hits, size]) => (hits - value * size) ** 2))) / total;
  const half = ((estimate?.high ?? 0) - (estimate?.low ?? 0)) / 2;
  expect(half / (1.96 * deviation)).toBeGreaterThan(0.88);
  expect(half / (1.96 * deviation)).toBeLessThan(1.12);
});

test('intervals of sums hold the truth about 95 times in 100', () => {
  const runs = 300;
  let held = 0;
  for (let seed = 0; seed < runs; seed += 1) {
    const estimate = sumsOf(draw(seed, 80), seed).estimate(ratio);
    if (hasInterval(estimate) && estimate.low <= 0.5 && 0.5 <= estimate.high) held += 1;
  }
  expect(held / runs).toBeGreaterThan(0.9);
  expect(held / runs).toBeLessThan(0.985);
});

test('sums: the order of rows does not matter, their names and the seed do', () => {
  const row = fc.tuple(fc.string(), fc.nat(50), fc.integer({ min: 1, max: 50 }));
  fc.assert(
    fc.property(fc.array(row, { minLength: 2, maxLength: 12 }), (rows) => {
      expect(sumsOf([...rows].reverse()).estimate(ratio)).toEqual(sumsOf(rows).estimate(ratio));
    }),
  );
  const rows = draw(1, 30);
  const renamed = rows.map(([id, ...counts]) => [id + 1, ...counts] as const);
  const estimate = sumsOf(rows).estimate(ratio);
  expect(sumsOf(rows, 1).estimate(ratio)).not.toEqual(estimate);
  expect(sumsOf(renamed).estimate(ratio)).not.toEqual(estimate);
});

test.each([
  [{ right: 50 }, false],
  [{ wrong: 50 }, false],
  [{ right: 48, wrong: 2 }, false],
  [{ right: 45, wrong: 5 }, true],
])('resamples that are mostly alike at an end say no interval: %j', (cells, isKnown) => {
  const found = cellsOf(cells).estimate(shareOfRight, { seed: 1 });
  expect(hasInterval(found)).toBe(isKnown);
});

test('few rows, or none', () => {
  expect(new SumTally(0).estimate(ratio)).toBeUndefined();
  expect(sumsOf([['one', 1, 4]]).estimate(ratio)).toEqual({ value: 0.25, interval: 'too few' });
  const tally = sumsOf([['one', 1, 4]]);
  expect(() => tally.add('two', [1])).toThrow('Row two adds [1] to 2 sums');
  expect(() => tally.add('two', [1, Number.NaN])).toThrow('Row two adds [1,NaN]');
});
