import { expect, test } from 'vitest';
import { keyedRandom } from '../../../base/keyed-random.ts';
import { measureCells } from '../../../stats/measure-cells.ts';
import { judgeRow, noChoice } from './judge-row.ts';
import { taskMetrics } from './metrics.ts';
import { scoreMeasure } from './score-estimate.ts';

// Metrics of all tasks and dialects are compared with recorded ones in test/conformance.

test.each([
  [[-1, -2, -3], 0, 2, 2],
  [[-2, -1, -1], 1, 2, 2],
  [[-1, -1, -1], 0, 2, 2],
  [[-3, -4, -8], 0, 1, 2],
])('choices of %j', (logLikelihoods, predicted, predictedNormalized, rank) => {
  const choices = ['a', 'bb', '𠮷𠮷𠮷𠮷'];
  expect(judgeRow({ logLikelihoods, choices, target: 'bb' })).toMatchObject({
    gold: 1,
    predicted,
    predictedNormalized,
    rank,
  });
});

const rowOf = (target: string, predicted: 0 | 1) =>
  judgeRow({
    logLikelihoods: predicted === 0 ? [-1, -2] : [-2, -1],
    choices: ['positive', 'negative'],
    target,
  });

test('an answer that is no choice is never right', () => {
  const row = rowOf('neutral', 0);
  expect(row).toMatchObject({ gold: noChoice, rank: Number.POSITIVE_INFINITY });
  const [accuracy] = taskMetrics([row], { task: 'chabsa', dialect: 'main' });
  expect(accuracy).toEqual({ name: 'acc', value: 0, stderr: undefined });
});

test.each([
  ['neutral documents', [rowOf('positive', 0), rowOf('negative', 1), rowOf('neutral', 0)], 5 / 6],
  ['no neutral documents', [rowOf('positive', 0), rowOf('negative', 1)], 1.5],
])('F1 of two sentiments that are always right, with %s', (_, rows, expected) => {
  const metrics = taskMetrics(rows, { task: 'chabsa', dialect: 'main' });
  expect(metrics.find(({ name }) => name === 'f1')?.value).toBeCloseTo(expected, 12);
});

test('answers beside the choices are classes of their own in the first release only', () => {
  const rows = [rowOf('positive', 0), rowOf('neutral', 0), rowOf('mixed', 0)];
  const f1 = (dialect: 'main' | 'v0.1.0') =>
    taskMetrics(rows, { task: 'chabsa', dialect }).find(({ name }) => name === 'f1')?.value;
  expect(f1('main')).toBeCloseTo((1.5 * 0.5) / 2, 12);
  expect(f1('v0.1.0')).toBeCloseTo((1.5 * 0.5) / 3, 12);
});

test('the interval of a score: Wilson for a rate, resampled for F1', () => {
  const exam = scoreMeasure('fp2');
  const rows = [0, 0, 0, 1].map((gold) => ({ gold, predicted: 0 }));
  expect(measureCells(rows.map(exam.cellOf), exam)).toMatchObject({
    value: 0.75,
    method: 'wilson',
  });
  const sentiment = scoreMeasure('chabsa');
  const opinions = Array.from({ length: 60 }, (_, index) => ({
    gold: index % 3 === 2 ? noChoice : index % 3,
    predicted: index % 5 === 0 ? 1 : index % 2,
  }));
  const score = measureCells(opinions.map(sentiment.cellOf), sentiment);
  expect(score?.method).toBe('bootstrap');
  expect(score?.low).toBeLessThan(score?.value ?? 0);
  expect(score?.high).toBeLessThanOrEqual(1);
  const right = [0, 1, 0, 1, 0].map((gold) => ({ gold, predicted: gold }));
  expect(measureCells(right.map(sentiment.cellOf), sentiment)).toMatchObject({
    interval: 'too few',
  });
});

const counted = (cells: readonly string[]) =>
  scoreMeasure('chabsa').measure(cells)(cells.map(() => 1));

test('the score of sentiment is a share, and that of the original where there are neutral documents', () => {
  const { cellOf } = scoreMeasure('chabsa');
  const random = keyedRandom(1, 'sentiments');
  const targets = ['positive', 'negative', 'neutral'];
  for (let draw = 0; draw < 200; draw += 1) {
    const rows = Array.from({ length: 1 + random.below(8) }, () =>
      rowOf(targets[random.below(3)] ?? '', random.below(2) === 1 ? 1 : 0),
    );
    const score = counted(rows.map(cellOf));
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
    const all = ['0', '1', String(noChoice)];
    const seen = new Set(rows.flatMap(({ gold, predicted }) => [String(gold), String(predicted)]));
    if (all.some((label) => !seen.has(label))) continue;
    const metrics = taskMetrics(rows, { task: 'chabsa', dialect: 'main' });
    expect(score).toBeCloseTo(metrics.find(({ name }) => name === 'f1')?.value ?? -1, 12);
  }
});

test('no answer is never better than any answer that is wrong', () => {
  const { cellOf, unanswered } = scoreMeasure('chabsa');
  const random = keyedRandom(2, 'unanswered');
  const targets = ['positive', 'negative', 'neutral'];
  for (let draw = 0; draw < 200; draw += 1) {
    const lost = Array.from({ length: 1 + random.below(4) }, () => targets[random.below(3)] ?? '');
    const others = Array.from({ length: random.below(8) }, () =>
      cellOf(rowOf(targets[random.below(3)] ?? '', random.below(2) === 1 ? 1 : 0)),
    );
    const failed = counted([...others, ...lost.map((target) => unanswered?.(target) ?? '')]);
    const wrong = lost.map((target) => {
      const choice = target === 'neutral' ? random.below(2) : 1 - targets.indexOf(target);
      return cellOf(rowOf(target, choice === 1 ? 1 : 0));
    });
    expect(failed).toBeLessThanOrEqual(counted([...others, ...wrong]) + 1e-12);
  }
});
