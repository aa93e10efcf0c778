import { describe, expect, test } from 'vitest';
import vectors from '../../../test/vectors/metrics/scikit-learn.json' with { type: 'json' };
import { countLabels, type LabelPair, labelCounter } from './label-counts.ts';
import {
  accuracy,
  balancedAccuracy,
  f1,
  macroF1,
  macroPrecision,
  macroRecall,
  matthewsCorrelation,
  microF1,
  precision,
  recall,
  weightedF1,
} from './label-metrics.ts';
import { rocAuc } from './roc-auc.ts';

const overall = [
  ...[accuracy, macroF1, microF1, weightedF1, macroPrecision, macroRecall],
  ...[balancedAccuracy, matthewsCorrelation],
];

describe('as scikit-learn', () => {
  test.each(vectors.labels)('$name', (vector) => {
    const { pairs, labels, positive, expected } = vector;
    const counts = countLabels(pairs as unknown as LabelPair[], { labels });
    const ofOne = positive === undefined ? [] : [f1, precision, recall].map((of) => of(positive));
    const values = [...overall, ...ofOne].map(({ name, of }) => [name, of(counts)] as const);
    const wanted = Object.entries(expected).map(([name, value]) => [
      name,
      expect.closeTo(value, 12),
    ]);
    expect(Object.fromEntries(values)).toEqual(Object.fromEntries(wanted));
  });

  test.each(vectors.areas)('area under the curve: $expected', ({ right, chances, expected }) => {
    const cases = right.map((label, index) => [label === 1, chances[index] ?? 0] as const);
    expect(rocAuc(cases)).toBeCloseTo(expected, 12);
  });
});

test('without answers everything is 0', () => {
  const counts = countLabels([]);
  expect([...overall, f1('a')].map(({ of }) => of(counts))).toEqual(Array(9).fill(0));
  expect(rocAuc([])).toBeUndefined();
  expect(rocAuc([[true, 0.5]])).toBeUndefined();
});

test('a label that some rows have and a resample has not does not count', () => {
  const pairs: LabelPair[] = [
    ['a', 'a'],
    ['b', 'b'],
  ];
  const count = labelCounter(pairs, { labels: ['a', 'b', 'c'] });
  expect(macroF1.of(count([1, 1]))).toBeCloseTo(2 / 3, 12);
  expect(macroF1.of(count([2, 0]))).toBe(1 / 2);
});

test('cases may come with how often they occur', () => {
  const cases = [[true, 0.7] as const, [false, 0.7] as const, [false, 0.2] as const];
  expect(rocAuc(cases, [1, 1, 3])).toBe((3 + 1 / 2) / 4);
});
