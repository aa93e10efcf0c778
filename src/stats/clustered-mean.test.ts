import { expect, test } from 'vitest';
import r from '../../test/vectors/stats/r.json' with { type: 'json' };
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import { ClusterSums } from './cluster-sums.ts';
import { clusteredMean, spreadOf } from './clustered-mean.ts';
import { meanOfScores } from './mean-estimate.ts';

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

test('by clusters of one row each the interval is not narrower than without', () => {
  const values = Array.from({ length: 60 }, (_, index) => (index === 7 ? 0.1 : 0.8 + index / 400));
  const range = [0, 1] as const;
  const own = clusteredMean(values, { clusters: [...values.keys()], range });
  const plain = meanOfScores(values, { range });
  expect(own?.low).toBeLessThanOrEqual(plain?.low ?? 0);
  expect(own?.high).toBeGreaterThanOrEqual(plain?.high ?? 1);
});

test('scores without a highest one: few clusters that differ say nothing', () => {
  const range = [0, Number.POSITIVE_INFINITY] as const;
  const clusters = Array.from({ length: 40 }, (_, index) => Math.floor(index / 2));
  const values = clusters.map((cluster) => (cluster < 6 ? cluster : 0));
  const found = clusteredMean(values, { clusters, range });
  expect(found?.low).toBeLessThan(0.1);
  expect(found?.high).toBeGreaterThan(1.3);
  const few = clusters.map((cluster) => (cluster < 2 ? 1 : 0));
  expect(clusteredMean(few, { clusters, range })).toBeUndefined();
});

test('odd input', () => {
  expect(clusteredMean([], { clusters: [] })).toBeUndefined();
  expect(clusteredMean([1, 2], { clusters: ['a', 'a'] })).toBeUndefined();
  expect(() => clusteredMean([1, 2], { clusters: ['a'] })).toThrow('2 values');
  expect(() => clusteredMean([1, Number.NaN], { clusters: [1, 2] })).toThrow('not finite');
});

test.each([
  [57, 3],
  [30, 30],
  [59, 1],
])(
  '%i right and %i wrong rows, each a cluster: not narrower than without clusters',
  (right, wrong) => {
    const values = [...Array<number>(right).fill(1), ...Array<number>(wrong).fill(0)];
    const range = [0, 1] as const;
    const own = clusteredMean(values, { clusters: [...values.keys()], range });
    const plain = meanOfScores(values, { range });
    expect(own?.low).toBeLessThanOrEqual((plain?.low ?? 0) + 1e-9);
    expect(own?.high).toBeGreaterThanOrEqual((plain?.high ?? 1) - 1e-9);
  },
);

test.each([
  ['at the ends of a range', [0, 1], (0.6 * 0.4) / 5],
  ['without a highest one', [0, Number.POSITIVE_INFINITY], (0.6 * 0.3) / 5],
] as const)('values %s vary as much as whole clusters of them would', (_, range, expected) => {
  const sums = new ClusterSums(range);
  for (const [cluster, value] of [1, 1, 0, 1, 0].entries()) sums.add(cluster, value);
  expect(spreadOf(sums).variancePerCluster).toBeCloseTo(expected, 12);
});
