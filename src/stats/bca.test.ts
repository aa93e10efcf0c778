import { expect, test } from 'vitest';
import r from '../../test/vectors/stats/r.json' with { type: 'json' };
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import { keyedRandom } from '../base/keyed-random.ts';
import { bcaShares, bootstrapMeanBca } from './bca.ts';
import { bootstrapMean } from './bootstrap.ts';

const cases = [
  ...scipy.bootstrap_bca.cases.map((one) => ({
    ...one,
    name: 'SciPy',
    bootstrap: bootstrapMeanBca,
  })),
  ...r.bootstrap_bca.cases.map((one) => ({ ...one, name: 'R', bootstrap: bootstrapMeanBca })),
  ...scipy.bootstrap_percentile.cases.map((one) => ({
    ...one,
    name: 'SciPy percentile',
    bootstrap: bootstrapMean,
  })),
];

test.each(cases)('$name: $value', ({ values, value, bootstrap }) => {
  const found = bootstrap(values, { seed: 1, resamples: 40_000 });
  const width = (value[1] ?? 0) - (value[0] ?? 0);
  expect(Math.abs((found?.low ?? 0) - (value[0] ?? 0)) / width).toBeLessThan(0.01);
  expect(Math.abs((found?.high ?? 0) - (value[1] ?? 0)) / width).toBeLessThan(0.01);
});

test('without bias and skewness the ends are the usual ones', () => {
  const [low, high] = bcaShares({ bias: 0, acceleration: 0, level: 0.95 });
  expect([low, high]).toEqual([expect.closeTo(0.025, 12), expect.closeTo(0.975, 12)]);
  const moved = bcaShares({ bias: 0.1, acceleration: 0.05, level: 0.95 });
  expect(moved).toEqual([expect.closeTo(0.0546, 4), expect.closeTo(0.9917, 4)]);
});

test('skewed values: the long side of the interval is on the long side of the data', () => {
  const random = keyedRandom(3, 'skew');
  const values = Array.from({ length: 60 }, () => -Math.log(1 - random.next()));
  const plain = bootstrapMean(values, { seed: 1 });
  const found = bootstrapMeanBca(values, { seed: 1 });
  expect(found?.value).toBeCloseTo(plain?.value ?? 0, 12);
  expect(found?.low).toBeGreaterThan(plain?.low ?? 0);
  expect(found?.high).toBeGreaterThan(plain?.high ?? 0);
});

test('very many values: as wide as theory says', () => {
  const random = keyedRandom(5, 'many');
  const values = Array.from({ length: 50_000 }, () => random.next());
  const found = bootstrapMeanBca(values, { seed: 2 });
  const half = ((found?.high ?? 0) - (found?.low ?? 0)) / 2;
  expect(half / (1.96 * Math.sqrt(1 / 12 / 50_000))).toBeCloseTo(1, 1);
});

test('odd input', () => {
  expect(bootstrapMeanBca([], { seed: 0 })).toBeUndefined();
  const constant = { value: 0.5, low: 0.5, high: 0.5, level: 0.95, method: 'bca' };
  expect(bootstrapMeanBca([0.5, 0.5], { seed: 0 })).toEqual(constant);
  expect(() => bootstrapMeanBca([Number.NaN], { seed: 0 })).toThrow('NaN is not a score');
  expect(() => bootstrapMeanBca([1], { seed: 0, level: 0 })).toThrow('between 0 and 1');
  expect(() => bootstrapMeanBca([1], { seed: 0, resamples: -1 })).toThrow('-1 is not a count');
});
