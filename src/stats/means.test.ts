import { expect, test } from 'vitest';
import type { Estimate } from './estimate.ts';
import { groupAverage, meanOf } from './means.ts';
import { wilson } from './wilson.ts';

const estimate = (value: number, low: number, high: number): Estimate => ({
  value,
  low,
  high,
  level: 0.95,
  method: 'bootstrap',
});

test('the mean', () => {
  expect(meanOf([1, 2, 6])).toBe(3);
  expect(meanOf([])).toBeUndefined();
});

test('errors of independent estimates add up as squares', () => {
  const average = groupAverage([estimate(0.5, 0.2, 0.6), estimate(0.9, 0.5, 0.9)]);
  expect(average).toMatchObject({ value: 0.7, level: 0.95, method: 'combined' });
  expect(average?.low).toBeCloseTo(0.7 - Math.hypot(0.3, 0.4) / 2, 12);
  expect(average?.high).toBeCloseTo(0.75, 12);
  const high = estimate(0.9, 0.7, 0.95);
  const four = groupAverage([estimate(0.5, 0.4, 0.6), high, high, high]);
  expect(four?.high).toBeCloseTo(0.8 + Math.hypot(0.1, 0.125, 0.125, 0.125) / 4, 12);
});

test('estimates count for their weights', () => {
  const average = groupAverage([estimate(0.5, 0.2, 0.6), estimate(0.9, 0.5, 0.9)], {
    weights: [3, 1],
  });
  expect(average?.value).toBeCloseTo(0.6, 12);
  expect(average?.low).toBeCloseTo(0.6 - Math.hypot(0.9, 0.4) / 4, 12);
});

test('the average of one is that one; of none, nothing', () => {
  const only = estimate(0.5, 0.25, 0.75);
  expect(groupAverage([only])).toEqual({ ...only, method: 'combined' });
  expect(groupAverage([])).toBeUndefined();
  expect(() => groupAverage([only, { ...only, level: 0.9 }])).toThrow('different levels');
});

// Exact: the chance of every pair of samples, summed where the interval holds the true average.
test('intervals of an average of two rates hold the truth 95 times in 100', () => {
  const count = 50;
  const [left = [], right = []] = [0.3, 0.85].map((rate) => {
    let chance = (1 - rate) ** count;
    return Array.from({ length: count + 1 }, (_, successes) => {
      const now = chance;
      chance *= ((count - successes) / (successes + 1)) * (rate / (1 - rate));
      return now;
    });
  });
  let held = 0;
  for (const [i, first] of left.entries()) {
    for (const [j, second] of right.entries()) {
      const pair = [wilson(i, count), wilson(j, count)].filter((one) => one !== undefined);
      const { low, high } = groupAverage(pair) ?? { low: 1, high: 0 };
      if (low <= 0.575 && 0.575 <= high) held += first * second;
    }
  }
  expect(held).toBeGreaterThan(0.94);
  expect(held).toBeLessThan(0.965);
});
