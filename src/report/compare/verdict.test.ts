import { expect, test } from 'vitest';
import type { Assessment, Scale } from '../../study/compare/comparison.ts';
import { verdictOf } from '../../study/compare/verdict.ts';
import { describeTask } from './describe-task.ts';
import { sampleTask } from './sample-comparison.ts';

const points: Scale = { metric: 'accuracy', direction: 'higher', isShare: true };
const nats: Scale = { metric: 'nll', direction: 'lower', isShare: false };
const base = sampleTask().result as Assessment;

function result(difference: number, [low, high]: readonly [number, number]): Assessment {
  const interval = { value: difference, low, high, level: 0.95, method: 'score' } as const;
  return { ...base, difference, interval };
}

test.each<[string, Assessment | undefined, number, Scale, string, string]>([
  [
    'better',
    result(0.031, [0.01, 0.052]),
    0.004,
    points,
    'b-better',
    'B is better by 3.1 points, 95% interval [1.0, 5.2].',
  ],
  [
    'worse',
    result(-0.01, [-0.018, -0.002]),
    0.01,
    points,
    'a-better',
    'A is better by 1.0 point, 95% interval [0.2, 1.8].',
  ],
  [
    'less is better',
    result(-0.5, [-0.75, -0.25]),
    0.01,
    nats,
    'b-better',
    'B is better by 0.500, 95% interval [0.250, 0.750].',
  ],
  [
    'differences that are too much alike for an interval',
    { ...base, difference: -0.5, interval: undefined },
    0.002,
    points,
    'a-better',
    'A is better by 50.0 points, p = 0.002; differences are too similar for an interval.',
  ],
  [
    'undecided',
    result(-0.012, [-0.03, 0.0051]),
    0.31,
    points,
    'undecided',
    'A and B cannot be told apart at n = 500: B is 1.2 points lower, 95% interval [−3.0, +0.5], p = 0.31.',
  ],
  [
    'no difference on average',
    result(0, [-0.0199, 0.0201]),
    1,
    points,
    'undecided',
    'A and B cannot be told apart at n = 500: no difference on average, 95% interval [−2.0, +2.0], p = 1.00.',
  ],
  [
    'the test is stricter than the interval',
    result(0.02, [0.001, 0.04]),
    0.0612,
    points,
    'undecided',
    'A and B cannot be told apart at n = 500: B is 2.0 points higher, 95% interval [+0.1, +4.0], p = 0.061. The interval excludes 0, but the test is stricter.',
  ],
  [
    'the interval is stricter than the test',
    result(0.02, [-0.0001, 0.04]),
    0.0488,
    points,
    'undecided',
    'A and B cannot be told apart at n = 500: B is 2.0 points higher, 95% interval [−0.01, +4.00], p = 0.049. The test alone would tell them apart, but the interval contains 0.',
  ],
  [
    'equal',
    {
      ...base,
      test: { type: 'mcnemar', onlyA: 0, onlyB: 0, both: 1, neither: 0, midP: 1 },
      pairs: 1,
    },
    1,
    points,
    'equal',
    'A and B score the same on each of 1 row.',
  ],
  [
    'too few',
    { ...base, pairs: 5 },
    0.0625,
    points,
    'too-few',
    '5 rows cannot tell A and B apart, whatever their scores; at least 6 are needed.',
  ],
  ['nothing', undefined, 1, points, 'nothing', 'No row is scored on both sides.'],
])('%s', (_, assessment, p, scale, type, text) => {
  expect(verdictOf(assessment, { p, level: 0.95, scale })).toEqual({ type, text });
});

test('what a verdict rests on', () => {
  expect(describeTask(sampleTask({ countedAsWrong: { ...base, pairs: 502, p: 0.0002 } }))).toEqual([
    "McNemar's exact test: p = 0.004 (mid-p 0.003); 23 right only in B, 8 only in A, 408 in both, 61 in neither.",
    'With 80% power: detecting 3.1 points needs 530 rows; 500 rows can detect 3.2 points.',
    'Pairs need a score on both sides. Left out: 2 unscored in A (no answer found): rows 3, 9.',
    'Counting unscored rows as wrong: +3.1 on 502 rows, p < 0.001.',
  ]);
});

const counts = { higherA: 20, higherB: 41, equal: 439 };

test.each<[Assessment['test'], string]>([
  [{ type: 'permutation', method: 'exact', ...counts }, 'Exact paired permutation test'],
  [
    { type: 'permutation', method: 'sampled', ...counts },
    'Paired permutation test with 9,999 draws',
  ],
  [
    { type: 'swap', method: 'exact', ...counts },
    'Exact permutation test that swaps A and B in rows',
  ],
  [{ type: 'swap', method: 'sampled', ...counts }, 'swaps A and B in rows, with 999 draws'],
  [{ type: 'swap', method: 'normal', ...counts }, 'Normal test with the bootstrap standard error'],
])('tests of other scores: %j', (one, text) => {
  const [first] = describeTask(sampleTask({ result: { ...base, test: one } }));
  expect(first).toContain(text);
  expect(first).toContain('p = 0.004; 41 higher in B, 20 higher in A, 439 equal.');
});

test.each<[string, Partial<Assessment>, string | undefined]>([
  [
    'a difference too small for any run',
    { neededPairs: undefined },
    'With 80% power: detecting 3.1 points needs more than ten million rows; 500 rows can detect 3.2 points.',
  ],
  [
    'no difference',
    { difference: 0, neededPairs: undefined },
    'With 80% power: 500 rows can detect 3.2 points.',
  ],
  [
    'hardly any row changed',
    { detectable: undefined },
    'With 80% power: detecting 3.1 points needs 530 rows; 500 rows cannot detect any difference: too few of them changed.',
  ],
  [
    'all differences are the same',
    {
      neededPairs: undefined,
      detectable: undefined,
      test: { type: 'permutation', method: 'exact', ...counts },
    },
    undefined,
  ],
])('power: %s', (_, change, text) => {
  const [, power] = describeTask(sampleTask({ leftOut: [], result: { ...base, ...change } }));
  expect(power).toBe(text);
});
