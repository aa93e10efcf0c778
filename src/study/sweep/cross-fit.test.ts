import { expect, test } from 'vitest';
import { keyedRandom } from '../../base/keyed-random.ts';
import { crossFit } from './cross-fit.ts';
import { drawScores } from './sample-sheet.fixture.ts';

const kind = { metric: 'accuracy' };

// 200 sweeps of 8 equal templates: the naive best is about 6 points too high at 80 rows, and the mean
// of the honest scores has a standard error of about 0.35 points.
test('the honest score of the best of equal templates is right on average, the naive is not', () => {
  const runs = 200;
  let honest = 0;
  let naive = 0;
  for (let run = 0; run < runs; run += 1) {
    const rates = Array<number>(8).fill(0.7);
    const scores = drawScores(keyedRandom(run, 'equal'), { rates, rows: 80 });
    honest += (crossFit([{ ...kind, scores }], run)?.score.value ?? 0) / runs;
    const means = scores.map((own) => own.reduce((sum, score) => sum + score, 0) / 80);
    naive += Math.max(...means) / runs;
  }
  expect(Math.abs(honest - 0.7)).toBeLessThan(0.015);
  expect(naive - 0.7).toBeGreaterThan(0.04);
});

test('one template far ahead is always chosen, and its score is its mean', () => {
  const scores = drawScores(keyedRandom(1, 'ahead'), { rates: [0.2, 0.9], rows: 101 });
  const mean = (scores[1] ?? new Float64Array()).reduce((sum, score) => sum + score, 0) / 101;
  const fitted = crossFit([{ ...kind, scores }], 0);
  expect(fitted?.chosen[1]).toBeCloseTo(1);
  expect(fitted?.score.value).toBeCloseTo(mean);
});

// Either row chooses the template that has it right, and the other row has that one wrong.
test('counted by hand: of two rows, each for another template, nothing honest is left', () => {
  const scores = [Float64Array.of(1, 0), Float64Array.of(0, 1)];
  const fitted = crossFit([{ ...kind, scores }], 0);
  expect([fitted?.score.value, ...(fitted?.chosen ?? [])]).toEqual([0, 0.5, 0.5]);
});

test('every row counts alike, also with an odd number of rows', () => {
  const same = Float64Array.from([1, 0, 0]);
  expect(crossFit([{ ...kind, scores: [same, same] }], 0)?.score.value).toBeCloseTo(1 / 3);
});

test('where less is better the lowest is chosen', () => {
  const scores = [new Float64Array(30).fill(3), new Float64Array(30).fill(2)];
  const fitted = crossFit([{ metric: 'cer', direction: 'lower', plain: true, scores }], 0);
  expect(fitted?.chosen).toEqual([0, 1]);
  expect(fitted?.score.value).toBeCloseTo(2);
});

test('perfect scores are not certain', () => {
  const scores = [new Float64Array(20).fill(1), new Float64Array(20).fill(1)];
  const fitted = crossFit([{ ...kind, scores }], 0);
  expect(fitted?.score).toMatchObject({ value: 1, high: 1, method: 'cross-fitted' });
  expect(fitted?.score.low).toBeLessThan(0.9);
});

test.each([[[]], [[{ ...kind, scores: [] }]], [[{ ...kind, scores: [Float64Array.of(1)] }]]])(
  'nothing comes of too little: %#',
  (tasks) => {
    expect(crossFit(tasks, 0)).toBeUndefined();
  },
);
