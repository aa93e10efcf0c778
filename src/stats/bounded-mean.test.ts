import fc from 'fast-check';
import { expect, test } from 'vitest';
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import { boundedEnds, boundedMean } from './bounded-mean.ts';

function expectNear(found: { low: number; high: number } | undefined, value: readonly number[]) {
  const [low = 0, high = 0] = value;
  const width = high - low;
  expect(Math.abs((found?.low ?? 0) - low) / width).toBeLessThan(0.01);
  expect(Math.abs((found?.high ?? 0) - high) / width).toBeLessThan(0.01);
}

test.each(scipy.bounded_mean.cases)(
  'NumPy: $range at $level',
  ({ values, range, level, value }) => {
    const [lowest = 0, highest = 1] = range;
    expectNear(boundedMean(values, { range: [lowest, highest], level }), value);
  },
);

test.each(scipy.clopper_pearson.cases)(
  'of right and wrong it is the exact interval: $successes of $count',
  ({ successes, count, level, value }) => {
    const ones = Array<number>(successes).fill(1);
    const zeros = Array<number>(count - successes).fill(0);
    expectNear(boundedMean([...ones, ...zeros], { level }), value);
  },
);

test('the mirror image of the scores has the mirror image of the interval', () => {
  const score = fc.double({ noNaN: true, min: 0, max: 1 });
  fc.assert(
    fc.property(fc.array(score, { minLength: 1, maxLength: 40 }), (scores) => {
      const found = boundedMean(scores);
      const turned = boundedMean(scores.map((one) => 1 - one));
      expect(turned?.low).toBeCloseTo(1 - (found?.high ?? 0), 9);
      expect(turned?.high).toBeCloseTo(1 - (found?.low ?? 0), 9);
    }),
  );
});

test('weights need not be whole: half of every row, twice', () => {
  const half = [0.2, 0.2, 0.9, 0.9].map((score): [number, number] => [score, 0.5]);
  const whole = boundedEnds([
    [0.2, 1],
    [0.9, 1],
  ]);
  expect(boundedEnds(half).high).toBeCloseTo(whole.high, 9);
});

test('odd input', () => {
  expect(boundedMean([])).toBeUndefined();
  expect(boundedMean([1, 1])).toMatchObject({ value: 1, high: 1 });
  expect(boundedMean([0])).toMatchObject({ value: 0, low: 0 });
  expect(() => boundedMean([1.5])).toThrow('1.5 is not a score from 0 to 1');
  expect(() => boundedMean([Number.NaN])).toThrow('NaN is not a score');
  expect(() => boundedMean([0.5], { level: 1 })).toThrow('between 0 and 1');
});
