import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyedRandom } from '../base/keyed-random.ts';
import { bootstrapMean } from './bootstrap.ts';

const scores = (seed: number, count: number) => {
  const random = keyedRandom(seed, 'scores');
  return Array.from({ length: count }, () => random.next() ** 2);
};
const trueMean = 1 / 3;
const trueDeviation = Math.sqrt(1 / 5 - 1 / 9);

test('intervals hold the truth about 95 times in 100', () => {
  const runs = 400;
  const options = { seed: 7, resamples: 400 };
  let held = 0;
  for (let seed = 0; seed < runs; seed += 1) {
    const estimate = bootstrapMean(scores(seed, 60), options);
    if (estimate && estimate.low <= trueMean && trueMean <= estimate.high) held += 1;
  }
  expect(held / runs).toBeGreaterThan(0.91);
  expect(held / runs).toBeLessThan(0.98);
});

test.each([3_000, 20_000, 200_000])('%d values: as wide as theory says', (count) => {
  const values = scores(1, count);
  const estimate = bootstrapMean(values, { seed: 3 });
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  expect(estimate?.value).toBeCloseTo(mean, 12);
  const half = ((estimate?.high ?? 0) - (estimate?.low ?? 0)) / 2;
  const expected = (1.96 * trueDeviation) / Math.sqrt(count);
  expect(half / expected).toBeGreaterThan(0.92);
  expect(half / expected).toBeLessThan(1.08);
});

test('the seed settles the interval; the order of values does not matter', () => {
  const values = scores(2, 9000);
  const estimate = bootstrapMean(values, { seed: 1, resamples: 50 });
  const again = bootstrapMean([...values].reverse(), { seed: 1, resamples: 50 });
  expect(again).toEqual(estimate);
  expect(bootstrapMean(values, { seed: 2, resamples: 50 })).not.toEqual(estimate);
});

test('any values give an interval around their mean', () => {
  const value = fc.double({ noNaN: true, min: -1e9, max: 1e9 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      const { low, value, high } = bootstrapMean(values, { seed: 0, resamples: 20 }) ?? {
        low: 1,
        value: 0,
        high: 0,
      };
      expect(low <= value && value <= high).toBe(true);
      expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-3);
      expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-3);
    }),
  );
});

test('odd input', () => {
  expect(bootstrapMean([], { seed: 0 })).toBeUndefined();
  expect(bootstrapMean([0.5, 0.5], { seed: 0 })).toMatchObject({ low: 0.5, value: 0.5, high: 0.5 });
  expect(() => bootstrapMean([Number.NaN], { seed: 0 })).toThrow('NaN is not a score');
  expect(() => bootstrapMean([1], { seed: 0, level: 1 })).toThrow('between 0 and 1');
  expect(() => bootstrapMean([1], { seed: 0, resamples: 0 })).toThrow('0 is not a count');
});
