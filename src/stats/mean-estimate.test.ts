import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedMean } from './bounded-mean.ts';
import { hasInterval } from './estimate.ts';
import { type MeanOptions, meanOfDifferences } from './mean-estimate.ts';
import { ScoreTally } from './tallies.ts';
import { wilson } from './wilson.ts';

const open: MeanOptions = { range: [0, Number.POSITIVE_INFINITY] };

function estimate(scores: readonly number[], options?: MeanOptions) {
  const tally = new ScoreTally();
  for (const score of scores) tally.add(score);
  return tally.estimate(options);
}

test('right and wrong are a rate, other scores from 0 to 1 a bounded mean', () => {
  expect(estimate([])).toBeUndefined();
  expect(estimate([1, 0, 1, 1], { level: 0.9 })).toEqual(wilson(3, 4, 0.9));
  expect(estimate([1, 0, 1, 1, 0.5])).toEqual(boundedMean([1, 0, 1, 1, 0.5]));
  expect(estimate([0.5, 0.5])).toMatchObject({ method: 'bounded', value: 0.5 });
  expect(() => estimate([Number.POSITIVE_INFINITY])).toThrow('Infinity is not a score');
});

test('differences are bounded by their range where more than half of them are the same', () => {
  const methodOf = (...differences: number[]) => meanOfDifferences(differences)?.method;
  expect(methodOf(0, 0, 0.1, 0.2)).not.toBe('bounded');
  expect(methodOf(0, 0, 0, 0.1, 0.2)).toBe('bounded');
  expect(methodOf(0.1, 0.1, 0.2, 0.3)).not.toBe('bounded');
});

test('distances of 0 and 1 are no rates', () => {
  expect(estimate([0, 1, 0, 1, 0, 1], open)).toMatchObject({ method: 'student', low: 0 });
});

test.each([
  ['one row', [4]],
  ['rows that are all alike', [0, 0, 0, 0, 0, 0]],
  ['two rows beside the commonest', [...Array<number>(50).fill(0), 2, 3]],
  ['two rows', [1.5, 3]],
])('%s of an open scale are too few', (_, scores) => {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  expect(estimate(scores, open)).toEqual({ value: mean, interval: 'too few' });
});

// Of 10 values whose mean is 5.5 and deviation 3.0277: 5.5 ± 2.2622 · 3.0277 / √10.
test('Student where it reaches further than the furthest scores', () => {
  const found = estimate([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], open);
  expect(found?.low).toBeCloseTo(3.334, 3);
  expect(found?.high).toBeCloseTo(7.666, 3);
});

test('scores beyond the range that they should have are those of an open scale', () => {
  expect(estimate([0.5, 0.25, 7, 3, 1])).toMatchObject({ method: 'student', low: 0 });
  expect(estimate([0.5, -0.25, 0.7, 0.3])).toMatchObject({ method: 'student' });
});

test('any scores: an interval around the mean, within the range', () => {
  const score = fc.double({ noNaN: true, min: 0, max: 1 });
  fc.assert(
    fc.property(fc.array(score, { minLength: 1 }), (scores) => {
      const found = estimate(scores);
      if (!hasInterval(found)) throw new Error('no interval');
      const { low, value, high } = found;
      expect([0 <= low, low <= value, value <= high, high <= 1]).toEqual(Array(4).fill(true));
      expect(high - low).toBeGreaterThan(1e-3);
    }),
  );
});

test('very many different scores: as wide as theory says', () => {
  const scores = Array.from({ length: 100_000 }, (_, row) => ((row * 0.618034) % 1) ** 2);
  const found = estimate(scores);
  if (!hasInterval(found)) throw new Error('no interval');
  const expected = (2 * 1.96 * Math.sqrt(1 / 5 - 1 / 9)) / Math.sqrt(100_000);
  expect((found.high - found.low) / expected).toBeCloseTo(1, 1);
  expect(found.value).toBeCloseTo(1 / 3, 4);
});
