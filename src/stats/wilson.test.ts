import fc from 'fast-check';
import { expect, test } from 'vitest';
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import { normalReach } from './normal.ts';
import { wilson, wilsonShare } from './wilson.ts';

// Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17
// (1998) 857–872, table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%d of %d is as published', (successes, count, low, high) => {
  const estimate = wilson(successes, count);
  expect(estimate).toMatchObject({ value: successes / count, level: 0.95, method: 'wilson' });
  expect(estimate?.low).toBeCloseTo(low, 4);
  expect(estimate?.high).toBeCloseTo(high, 4);
});

test.each(scipy.wilson.cases)(
  '$successes of $count at $level is as statsmodels has it',
  ({ successes, count, level, value: [low = 0, high = 0] }) => {
    const estimate = wilson(successes, count, level);
    expect(estimate?.low).toBeCloseTo(low, 12);
    expect(estimate?.high).toBeCloseTo(high, 12);
  },
);

test.each([
  [0.5, 0.674489750196082],
  [0.9, 1.64485362695147],
  [0.95, 1.95996398454005],
  [0.99, 2.5758293035489],
  [0.999999, 4.8916384757],
])('%d of a normal distribution lies within %d', (share, reach) => {
  expect(normalReach(share)).toBeCloseTo(reach, 9);
});

test('an interval holds its rate, stays within 0 and 1, and narrows with lower levels', () => {
  fc.assert(
    fc.property(
      fc.nat(1e6),
      fc.nat(1e6),
      fc.double({ min: 0.01, max: 0.98, noNaN: true }),
      (a, b, level) => {
        const count = a + b + 1;
        const { value, low, high } = wilson(a, count, level) ?? { value: -1, low: 0, high: 0 };
        expect(0 <= low && low <= value && value <= high && high <= 1).toBe(true);
        const wider = wilson(a, count, level + 0.01);
        expect((wider?.high ?? 0) - (wider?.low ?? 0)).toBeGreaterThan(high - low);
      },
    ),
  );
});

test('an end that meets its value is exactly 0 or 1', () => {
  for (let count = 1; count < 300; count += 1) {
    expect(wilson(0, count)?.low).toBe(0);
    expect(wilson(count, count)?.high).toBe(1);
  }
});

test('no rate comes of nothing, or of counts that are none', () => {
  expect(wilson(0, 0)).toBeUndefined();
  expect(() => wilson(2, 1)).toThrow('2 of 1 is not a rate');
  expect(() => wilson(0.5, 1)).toThrow('not a rate');
  expect(() => wilson(1, 2, 1)).toThrow('a share of 1');
});

/** Chance that the interval of a sample holds the true rate, summed over all samples. */
function coverage(rate: number, count: number): number {
  let logChance = count * Math.log(1 - rate);
  let held = 0;
  for (let successes = 0; successes <= count; successes += 1) {
    const { low, high } = wilson(successes, count) ?? { low: 1, high: 0 };
    if (low <= rate && rate <= high) held += Math.exp(logChance);
    logChance += Math.log(((count - successes) / (successes + 1)) * (rate / (1 - rate)));
  }
  return held;
}

test.each([20, 100, 400])('%d rows: intervals hold the truth 95 times in 100', (count) => {
  const rates = Array.from({ length: 97 }, (_, index) => 0.02 + index / 100);
  const held = rates.map((rate) => coverage(rate, count));
  const average = held.reduce((sum, chance) => sum + chance, 0) / held.length;
  expect(average).toBeGreaterThan(0.945);
  expect(average).toBeLessThan(0.965);
  expect(Math.min(...held)).toBeGreaterThan(0.83);
});

test('what is no share has no interval', () => {
  for (const value of [-0.1, 1.1, Number.NaN]) {
    expect(() => wilsonShare(value, 10)).toThrow('is not a share');
  }
  expect([wilsonShare(0, 10)?.low, wilsonShare(1, 10)?.high]).toEqual([0, 1]);
  expect(wilsonShare(0.5, 0)).toBeUndefined();
});
