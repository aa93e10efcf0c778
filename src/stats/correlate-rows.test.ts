import { expect, test } from 'vitest';
import { centeredShares, correlateShares } from './correlate-rows.ts';

const rows = (place: number) => `row ${place}`;
const sharesOf = (scores: readonly number[], unitAt = rows) =>
  centeredShares(
    scores.map((score) => score / scores.length),
    unitAt,
  );

test('shares by unit, less what an average row adds', () => {
  // The average row adds 0.2; a has two rows, b two, c one.
  const unitAt = (place: number) => ['a', 'a', 'b', 'b', 'c'][place] ?? '';
  const found = centeredShares([0.4, 0.1, 0.3, 0.2, 0], unitAt);
  expect([...found].map(([unit, share]) => [unit, Number(share.toFixed(12))])).toEqual([
    ['a', 0.1],
    ['b', 0.1],
    ['c', -0.2],
  ]);
});

// Over the same rows it is NumPy's corrcoef, or 0 where that is below.
test.each([
  [[1, 0, 1, 1, 0], [1, 1, 0, 1, 0], 1 / 6],
  [[1, 0, 1, 1, 0], [1, 0, 1, 1, 0], 1],
  [[1, 0, 1, 1, 0], [0, 1, 0, 0, 1], 0],
  [[0.2, 0.9, 0.4], [0.1, 0.8, 0.5], 0.9476966276867815],
])('%j and %j: %d', (one, other, wanted) => {
  expect(correlateShares(sharesOf(one), sharesOf(other))).toBeCloseTo(wanted, 12);
});

test('only what units have in common counts', () => {
  const shift = (place: number) => `row ${place + 2}`;
  const one = sharesOf([1, 0, 1, 0]);
  // Rows 2 and 3 are in both: (0.125² + 0.125²) / (4 · 0.125²).
  expect(correlateShares(one, sharesOf([1, 0, 1, 0], shift))).toBeCloseTo(0.5, 12);
  expect(
    correlateShares(
      one,
      sharesOf([1, 0], (place) => `other ${place}`),
    ),
  ).toBe(0);
});

test('where all rows are alike it is the share of units in common', () => {
  const alike = sharesOf([1, 1, 1, 1]);
  expect(correlateShares(alike, alike)).toBe(1);
  expect(
    correlateShares(
      alike,
      sharesOf([1, 0], (place) => `row ${place}`),
    ),
  ).toBeCloseTo(2 / Math.sqrt(8), 12);
});
