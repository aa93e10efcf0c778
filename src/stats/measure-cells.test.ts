import { expect, test } from 'vitest';
import { clusteredMean } from './clustered-mean.ts';
import { meanOfScores } from './mean-estimate.ts';
import { meanOfCells, meanOfRows, measureCells, withinShares } from './measure-cells.ts';

const scores = [1, 0, 0.5, 1, 1, 0, 1, 0.5, 1, 0];
const cells = scores.map(String);
const clusters = scores.map((_, row) => `c${row % 5}`);
const mean = (sums: ArrayLike<number>) => (sums[0] ?? 0) / (sums[1] ?? 1);

test('the mean of counted cells', () => {
  expect(meanOfCells(['0', '0.5', '1'])([1, 2, 5])).toBe(0.75);
  expect(meanOfCells(['3', '8'])([4])).toBe(3);
});

test('cells that are scores have the interval of their mean, by clusters where there are any', () => {
  expect(measureCells(cells, meanOfRows)).toEqual(meanOfScores(scores, {}));
  const found = measureCells(cells, { ...meanOfRows, clusters });
  const wanted = clusteredMean(scores, { clusters, range: [0, 1] });
  expect(found).toMatchObject({ value: wanted?.value, low: wanted?.low, high: wanted?.high });
  expect(measureCells(cells, { ...meanOfRows, level: 0.5 })).toMatchObject({ level: 0.5 });
});

test.each([undefined, clusters])('sums and tables have the value of the mean: %j', (own) => {
  const measure = (names: readonly string[]) => meanOfCells(names);
  const table = measureCells(cells, { type: 'cells', measure, clusters: own });
  const pairs = scores.map((score) => JSON.stringify([score, 1]));
  const sums = measureCells(pairs, { type: 'sums', measure: mean, clusters: own });
  for (const found of [table, sums]) {
    expect(found).toMatchObject({
      value: expect.closeTo(0.6, 12),
      method: own ? 'clustered' : 'bootstrap',
    });
  }
});

test('what is not known may be anything', () => {
  const known = { value: 0.5, low: 0.4, high: 0.6, level: 0.9, method: 'wilson' } as const;
  expect(withinShares(known)).toBe(known);
  const bounded = { value: 0.5, low: 0, high: 1, level: 0.95, method: 'bounded' };
  expect(withinShares({ value: 0.5, interval: 'too few' })).toEqual(bounded);
});
