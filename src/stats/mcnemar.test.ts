import fc from 'fast-check';
import { expect, test } from 'vitest';
import published from '../../test/vectors/stats/published.json' with { type: 'json' };
import r from '../../test/vectors/stats/r.json' with { type: 'json' };
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import { mcnemar } from './mcnemar.ts';

test.each(scipy.mcnemar.cases)('statsmodels: $onlyA, $onlyB', ({ exact, asymptotic, ...pairs }) => {
  const found = mcnemar(pairs);
  expect(found.exact).toBeCloseTo(exact, 12);
  expect(found.asymptotic).toBeCloseTo(asymptotic, 12);
});

test.each(r.mcnemar.cases)('R: $onlyA, $onlyB', ({ value, ...pairs }) => {
  expect(mcnemar(pairs).asymptotic).toBeCloseTo(value, 12);
});

test.each(published.mcnemar.cases)(
  'published: $onlyA, $onlyB',
  ({ exact, midP, asymptotic, ...pairs }) => {
    const found = mcnemar(pairs);
    expect(found.exact).toBeCloseTo(exact, 6);
    expect(found.midP).toBeCloseTo(midP, 6);
    expect(found.asymptotic).toBeCloseTo(asymptotic, 6);
  },
);

test('no discordant pairs, equal counts', () => {
  expect(mcnemar({ onlyA: 0, onlyB: 0 })).toEqual({ exact: 1, midP: 1, asymptotic: 1 });
  const { exact, midP } = mcnemar({ onlyA: 1, onlyB: 1 });
  expect([exact, midP]).toEqual([1, expect.closeTo(0.75, 12)]);
});

test('the sides are equal, mid-p is smaller, more imbalance means less', () => {
  const count = fc.integer({ min: 0, max: 400 });
  fc.assert(
    fc.property(count, count, (onlyA, onlyB) => {
      const found = mcnemar({ onlyA, onlyB });
      expect(mcnemar({ onlyA: onlyB, onlyB: onlyA })).toEqual(found);
      expect(found.midP).toBeLessThanOrEqual(found.exact);
      if (onlyA > 0 && onlyA <= onlyB) {
        const worse = mcnemar({ onlyA: onlyA - 1, onlyB: onlyB + 1 });
        expect(worse.exact).toBeLessThan(found.exact);
      }
      for (const p of Object.values(found)) expect(p >= 0 && p <= 1).toBe(true);
    }),
  );
});

// Exact: the chance of every outcome under no difference, summed where the test is significant.
test.each([12, 40, 150])('%d discordant pairs: the error stays within the level', (trials) => {
  const error = { exact: 0, midP: 0 };
  let chance = 2 ** -trials;
  for (let onlyA = 0; onlyA <= trials; onlyA += 1) {
    const found = mcnemar({ onlyA, onlyB: trials - onlyA });
    if (found.exact <= 0.05) error.exact += chance;
    if (found.midP <= 0.05) error.midP += chance;
    chance *= (trials - onlyA) / (onlyA + 1);
  }
  expect(error.exact).toBeLessThanOrEqual(0.05);
  expect(error.midP).toBeGreaterThanOrEqual(error.exact);
  expect(error.midP).toBeLessThan(0.06);
});

test('counts are counts', () => {
  expect(() => mcnemar({ onlyA: -1, onlyB: 3 })).toThrow('-1 is not a number of pairs');
  expect(() => mcnemar({ onlyA: 1, onlyB: 0.5 })).toThrow('0.5 is not a number of pairs');
});
