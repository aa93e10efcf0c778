import { expect, test } from 'vitest';
import type { RowRecord } from '../../run/store/row-record.ts';
import { compileScorer } from '../../score/compile-scorer.ts';
import type { DatasetMetric } from '../../score/scorer.ts';
import { compareDatasetMetrics } from '../../stats/paired-metric.ts';
import { LoggedRows } from './logged-rows.ts';
import { pairDatasetMetric } from './pair-dataset-metric.ts';

function logged(rows: readonly Partial<RowRecord>[]): LoggedRows {
  const found = new LoggedRows();
  for (const [id, row] of rows.entries()) {
    found.add({ id, key: '', prompt: '', outcome: 'scored', score: 1, ...row }, id);
  }
  return found;
}

const rate: DatasetMetric = {
  type: 'sums',
  name: 'rate',
  direction: 'lower',
  range: [0, 1],
  measure: (sums) => (sums[0] ?? 0) / (sums[1] ?? 0),
};
const recall = compileScorer({ evaluator: { type: 'classification' } }).datasetMetrics?.find(
  ({ name }) => name === 'balanced_accuracy',
) as DatasetMetric;
const cells = (...pairs: readonly (readonly [string, string] | null)[]) =>
  JSON.stringify(pairs.map((pair) => pair && JSON.stringify(pair)));
const cell = (right: string, given: string) => JSON.stringify([right, given]);

const once = [{ counts: [1, 2] }, { counts: [0, 2] }];
const twice = [
  { counts: [1, 2, 2, 2], rounds: 2 },
  { counts: [0, 2, 0, 0], rounds: 2 },
];
const onceLabels = [{ cell: cell('x', 'x') }, { cell: cell('y', 'x') }];
const twiceLabels = [
  { cell: cells(['x', 'x'], ['x', 'y']), rounds: 2 },
  { cell: cells(['y', 'y'], null), rounds: 2 },
];

test.each([
  ['once and once', rate, once, once, [0.25, 0.25]],
  ['several times each', rate, twice, twice, [0.625, 0.625]],
  ['once and several times', rate, once, twice, [0.25, 0.625]],
  ['several times and once', rate, twice, once, [0.625, 0.25]],
  ['labels, once and several times', recall, onceLabels, twiceLabels, [0.5, 0.5]],
  ['labels, several times each', recall, twiceLabels, twiceLabels, [0.5, 0.5]],
])('rows asked %s', (_, metric, rowsOfA, rowsOfB, expected) => {
  const [a, b] = [logged(rowsOfA), logged(rowsOfB)];
  const pairs = [0, 1].map((id) => ({ a: id, b: id }));
  const paired = pairDatasetMetric(pairs, { metric, a, b });
  const found = paired && compareDatasetMetrics(paired, { seed: 0 });
  expect([found?.a, found?.b]).toEqual(expected);
});

test.each([
  ['sums', rate, once],
  ['cells', recall, onceLabels],
])('%s that one log does not have cannot be compared', (_, metric, rows) => {
  const [a, b] = [logged(rows), logged([{}, {}])];
  expect(pairDatasetMetric([{ a: 0, b: 0 }], { metric, a, b })).toBeUndefined();
  expect(pairDatasetMetric([{ a: 0, b: 0 }], { metric, a: b, b: a })).toBeUndefined();
});
