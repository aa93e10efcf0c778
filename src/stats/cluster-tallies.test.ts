import { describe, expect, test } from 'vitest';
import { keyedRandom } from '../base/keyed-random.ts';
import { clusterReach } from './cluster-ends.ts';
import { ClusterCellTally, ClusterScoreTally, ClusterSumTally } from './cluster-tallies.ts';
import { clusteredMean } from './clustered-mean.ts';
import { wilsonEnds } from './wilson.ts';

const share = [0, 1] as const;

interface DrawnRow {
  readonly id: number;
  readonly cluster: string;
  readonly score: number;
}

/** Rows of which those of one cluster are mostly right, or mostly wrong. */
function drawRows(clusters: number, seed = 1): DrawnRow[] {
  const random = keyedRandom(seed, 'rows');
  return Array.from({ length: clusters }, (_, cluster) => {
    const rate = random.next() < 0.5 ? 0.1 : 0.9;
    return Array.from({ length: 4 }, (_, row) => ({
      id: cluster * 4 + row,
      cluster: `c${cluster}`,
      score: random.next() < rate ? 1 : 0,
    }));
  }).flat();
}

function meanOf(rows: readonly DrawnRow[]) {
  const tally = new ClusterScoreTally(share);
  for (const { score, cluster } of rows) tally.add(score, cluster);
  return tally;
}

const accuracy = (cells: readonly string[]) => (counts: ArrayLike<number>) => {
  const right = counts[cells.indexOf('right')] ?? 0;
  return right / (right + (counts[cells.indexOf('wrong')] ?? 0));
};

function cellsOf(rows: readonly DrawnRow[]) {
  const tally = new ClusterCellTally();
  for (const { score, cluster } of rows) tally.add(score === 1 ? 'right' : 'wrong', cluster);
  return tally.estimate(accuracy, { seed: 0, range: share });
}

function sumsOf(rows: readonly DrawnRow[]) {
  const tally = new ClusterSumTally(0);
  for (const { score, cluster } of rows) tally.add(cluster, [score, 1]);
  return tally.estimate(([right = 0, all = 0]) => right / all, { range: share });
}

test('two clusters have an interval, one has none', () => {
  const rows = drawRows(2);
  for (const estimate of [cellsOf, sumsOf]) {
    expect(estimate(rows)).toMatchObject({ method: 'clustered', low: expect.any(Number) });
    const single = estimate(rows.filter(({ cluster }) => cluster === 'c0'));
    expect(single).toMatchObject({ interval: 'too few' });
  }
  expect(meanOf(rows.slice(0, 4)).estimate()).toMatchObject({ interval: 'too few' });
  expect(new ClusterScoreTally(share).estimate()).toBeUndefined();
});

test('scores: the interval of the mean by clusters', () => {
  const rows = drawRows(15);
  const tally = meanOf(rows);
  const wanted = clusteredMean(
    rows.map(({ score }) => score),
    { clusters: rows.map(({ cluster }) => cluster), range: share },
  );
  expect(tally.clusters).toBe(15);
  const { value, low, high, level } = wanted ?? {};
  expect(tally.estimate()).toEqual({ value, low, high, level, method: 'clustered' });
});

test('measures of all rows: as wide as the mean that they are', () => {
  const rows = drawRows(30);
  const mean = meanOf(rows).estimate();
  for (const estimate of [cellsOf(rows), sumsOf(rows)]) {
    expect(estimate?.value).toBeCloseTo(mean?.value ?? 0, 12);
    const width = (estimate?.high ?? 0) - (estimate?.low ?? 0);
    const wanted = (mean?.high ?? 0) - (mean?.low ?? 0);
    expect(width / wanted).toBeGreaterThan(0.8);
    expect(width / wanted).toBeLessThan(1.2);
  }
});

test.each([
  ['scores', (rows: readonly DrawnRow[]) => meanOf(rows).estimate()],
  ['cells', cellsOf],
  ['sums', sumsOf],
])('%s: the order of rows does not matter', (_, estimate) => {
  const rows = drawRows(12);
  expect(estimate(rows.toReversed())).toEqual(estimate(rows));
});

describe.each([
  ['scores', (rows: readonly DrawnRow[]) => meanOf(rows).estimate()],
  ['cells', cellsOf],
  ['sums', sumsOf],
])('%s', (_, estimate) => {
  const allRight = drawRows(8).map((row) => ({ ...row, score: 1 }));

  test('all right: as if each cluster were one row', () => {
    const [low, high] = wilsonEnds(1, 8, clusterReach(8, 0.95));
    expect(estimate(allRight)).toMatchObject({ value: 1, low: expect.closeTo(low, 9), high });
    expect(low).toBeLessThan(0.7);
  });

  test('one cluster says nothing', () => {
    const one = allRight.filter(({ cluster }) => cluster === 'c0');
    expect(estimate(one)).toEqual({ value: 1, interval: 'too few' });
    expect(estimate([])).toBeUndefined();
  });
});

test('scores outside their range have an interval without bounds', () => {
  const tally = new ClusterScoreTally(share);
  for (const [index, score] of [5, 7, 6, 9, 4, 8].entries()) tally.add(score, index % 3);
  const { low = 0, high = 0 } = tally.estimate() ?? {};
  expect(low).toBeLessThan(6.5);
  expect(high).toBeGreaterThan(6.5);
});

test('too many cells', () => {
  const tally = new ClusterCellTally();
  for (let cell = 0; cell < 65_537; cell += 1) tally.add(String(cell), 'c');
  expect(tally.isFull).toBe(true);
  expect(tally.estimate(accuracy, { seed: 0, range: share })).toBeUndefined();
});
