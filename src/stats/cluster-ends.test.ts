import { expect, test } from 'vitest';
import { clusterEnds, clusterReach, tidy } from './cluster-ends.ts';
import { wilson } from './wilson.ts';

const reach = 1.959963984540054;

// 10 clusters, and 2 unseen ones at the variance of rows that are alike: (10 · 0.001 + 2 · 0.025) / 12
// is 0.005, the variance of 50 rows of which half are right.
test.each([
  [0.5, { variance: 0.001, variancePerCluster: 0.025, clusters: 10 }, [0, 1], 50],
  // What is seen counts where it is more.
  [0.5, { variance: 0.025, variancePerCluster: 0.001, clusters: 10 }, [0, 1], 10],
  [0.5, { variance: 0.006, clusters: 4 }, [0, 1], 0.25 / 0.006],
  // From -1 to 1 the value 0 is a half, and variances are four times as large.
  [0, { variance: 0.02, clusters: 3 }, [-1, 1], 50],
  // All rows alike: as many rows as clusters.
  [1, { variance: 0, clusters: 8 }, [0, 1], 8],
  [0, { variance: 0, clusters: 8 }, [0, 1], 8],
] as const)('%d with %j in %j says as much as %d rows', (value, spread, range, rows) => {
  const [low, high] = clusterEnds(value, { ...spread, range, reach });
  const width = range[1] - range[0];
  const share = (value - range[0]) / width;
  const isWhole = Number.isInteger(rows) && Number.isInteger(rows * share);
  // Wilson's interval solves |share - end| = reach · √(end · (1 - end) / rows).
  for (const end of [(low - range[0]) / width, (high - range[0]) / width]) {
    expect(Math.abs(share - end)).toBeCloseTo(reach * Math.sqrt((end * (1 - end)) / rows), 9);
  }
  const wanted = isWhole ? wilson(rows * share, rows) : undefined;
  if (wanted) expect(low).toBeCloseTo(range[0] + width * wanted.low, 9);
  expect(low < value || value === range[0]).toBe(true);
  expect(value < high || value === range[1]).toBe(true);
});

test.each([
  [3, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], [3 - reach * 2, 3 + reach * 2]],
  [3, [0, Number.POSITIVE_INFINITY], [0, 3 + reach * 2]],
  [3, [Number.NEGATIVE_INFINITY, 4], [3 - reach * 2, 4]],
] as const)('%d without bounds: %j', (value, range, [low, high]) => {
  const found = clusterEnds(value, { variance: 4, clusters: 5, range, reach });
  expect(found).toEqual([expect.closeTo(low, 9), expect.closeTo(high, 9)]);
});

// Student's t of SciPy with one degree of freedom less than there are clusters.
test.each([
  [2, 0.95, 12.7062047362],
  [5, 0.95, 2.7764451052],
  [30, 0.9, 1.6991270265],
])('%d clusters at %d reach %d standard errors', (clusters, level, wanted) => {
  expect(clusterReach(clusters, level)).toBeCloseTo(wanted, 8);
});

test('the last places go', () => {
  expect(tidy(0.1 + 0.2)).toBe(0.3);
  expect(tidy(0.123456789012)).toBe(0.123456789012);
});
