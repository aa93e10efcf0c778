import { expect, test } from 'vitest';
import { rowShares } from './row-shares.ts';

const ratio = {
  type: 'sums' as const,
  measure: (sums: ArrayLike<number>) => (sums[0] ?? 0) / (sums[1] ?? 0),
};

test('what rows add to a ratio of sums that is a mean is their own value, over their number', () => {
  const cells = [
    [1, 2],
    [0, 2],
    [2, 2],
    [1, 2],
  ].map((counts) => JSON.stringify(counts));
  const { value, shares } = rowShares(cells, ratio);
  expect(value).toBe(0.5);
  expect([...shares]).toEqual([0.125, 0, 0.25, 0.125].map((share) => expect.closeTo(share, 12)));
});

test('a row without which there is no value adds as much as any other', () => {
  const cells = ['[1,1]', '[0,0]', '[0,0]'];
  const { shares } = rowShares(cells, ratio);
  expect([...shares]).toEqual([1 / 3, 1 / 3, 1 / 3].map((share) => expect.closeTo(share, 12)));
});
