import { expect, test } from 'vitest';
import r from '../../test/vectors/stats/r.json' with { type: 'json' };
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import { clusteredMean } from './clustered-mean.ts';

test.each(scipy.clustered_mean.cases)('statsmodels: $clusters', (wanted) => {
  const found = clusteredMean(wanted.values, { clusters: wanted.clusters });
  expect(found).toEqual({
    value: expect.closeTo(wanted.mean, 12),
    low: expect.closeTo(wanted.interval[0] ?? 0, 9),
    high: expect.closeTo(wanted.interval[1] ?? 0, 9),
    level: 0.95,
    method: 'clustered',
    standardError: expect.closeTo(wanted.standardError, 12),
    clusters: new Set(wanted.clusters).size,
  });
});

test.each(r.clustered_mean.cases)('R sandwich', ({ values, clusters, standardError }) => {
  expect(clusteredMean(values, { clusters })?.standardError).toBeCloseTo(standardError, 12);
});

test('copies of a row in one group are no new evidence', () => {
  const values = [0, 1, 1, 0, 1, 0, 1, 1];
  const once = clusteredMean(values, { clusters: [...values.keys()] });
  const copied = values.flatMap((value) => [value, value, value]);
  const clusters = copied.map((_, index) => `group ${Math.floor(index / 3)}`);
  expect(clusteredMean(copied, { clusters })?.standardError).toBeCloseTo(
    once?.standardError ?? 0,
    12,
  );
});

test('odd input', () => {
  expect(clusteredMean([], { clusters: [] })).toBeUndefined();
  expect(clusteredMean([1, 2], { clusters: ['a', 'a'] })).toBeUndefined();
  expect(() => clusteredMean([1, 2], { clusters: ['a'] })).toThrow('2 values');
  expect(() => clusteredMean([1, Number.NaN], { clusters: [1, 2] })).toThrow('not finite');
});
