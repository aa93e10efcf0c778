import { expect, test } from 'vitest';
import published from '../../test/vectors/stats/published.json' with { type: 'json' };
import r from '../../test/vectors/stats/r.json' with { type: 'json' };
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import {
  binomialChance,
  binomialShareUpTo,
  chiSquareShareAbove,
  studentQuantile,
  studentShareAbove,
} from './distributions.ts';
import { normalQuantile, normalReach, normalShareAbove } from './normal.ts';

/** Equal to so many digits, however small the numbers are. */
function expectNear(actual: number, wanted: number, digits = 12): void {
  const error = wanted === 0 ? Math.abs(actual) : Math.abs(actual / wanted - 1);
  expect(error, `${actual} is not ${wanted}`).toBeLessThan(10 ** -digits);
}

test.each(scipy.normal_share_above.cases)('normal share above $point', ({ point, value }) => {
  expectNear(normalShareAbove(point), value);
  expect(normalShareAbove(-point)).toBeCloseTo(1 - value, 14);
});

test.each(scipy.normal_quantile.cases)('normal quantile of $share', ({ share, value }) => {
  // Near 1 the share itself is only known to 16 digits.
  expectNear(normalQuantile(share), value, share > 0.99999 ? 8 : 12);
});

test.each(scipy.binomial_share_up_to.cases)(
  'up to $successes of $trials at $rate',
  ({ value, successes, ...settings }) => {
    expectNear(binomialShareUpTo(successes, settings), value, 10);
  },
);

test.each(scipy.binomial_chance.cases)(
  '$successes of $trials at $rate',
  ({ value, successes, ...settings }) => {
    // SciPy's own values have about 10 digits here.
    expectNear(binomialChance(successes, settings), value, 9);
  },
);

test.each(scipy.chi_square_share_above.cases)(
  'chi-square above $point with $degrees',
  ({ point, degrees, value }) => {
    expectNear(chiSquareShareAbove(point, degrees), value, 11);
  },
);

test.each(scipy.student_share_above.cases)(
  't above $point with $degrees',
  ({ point, degrees, value }) => {
    expectNear(studentShareAbove(point, degrees), value, 11);
  },
);

test.each(r.student_quantile.cases)(
  't quantile of $share with $degrees',
  ({ share, degrees, value }) => {
    expect(studentQuantile(share, degrees)).toBeCloseTo(value, 10);
  },
);

test.each(published.t_table.cases)('t table: $share, $degrees', ({ share, degrees, value }) => {
  expect(Number(studentQuantile(share, degrees).toFixed(3))).toBe(value);
});

test('chances add up to 1, and shares are their sums', () => {
  const settings = { trials: 57, rate: 0.37 };
  let sum = 0;
  for (let successes = 0; successes <= settings.trials; successes += 1) {
    sum += binomialChance(successes, settings);
    expectNear(binomialShareUpTo(successes, settings), sum, 12);
  }
});

test('edges', () => {
  expect(binomialShareUpTo(-1, { trials: 5, rate: 0.5 })).toBe(0);
  expect(binomialShareUpTo(5, { trials: 5, rate: 0.5 })).toBe(1);
  expect(binomialChance(0, { trials: 5, rate: 0 })).toBe(1);
  expect(binomialChance(5, { trials: 5, rate: 1 })).toBe(1);
  expect(binomialChance(2.5, { trials: 5, rate: 0.5 })).toBe(0);
  expect(chiSquareShareAbove(0, 4)).toBe(1);
  expect(normalReach(0.95)).toBeCloseTo(1.959963984540054, 14);
  expect(normalQuantile(0.5)).toBe(0);
});

test.each([
  ['a share of 0', () => normalQuantile(0)],
  ['a share of 1', () => normalReach(1)],
  ['a share of 1', () => studentQuantile(1, 5)],
  ['degrees of freedom', () => studentShareAbove(1, 0)],
  ['degrees of freedom', () => chiSquareShareAbove(1, -1)],
  ['number of trials', () => binomialChance(1, { trials: 1.5, rate: 0.5 })],
  ['not a rate', () => binomialShareUpTo(1, { trials: 5, rate: 1.5 })],
])('refused: %s', (message, call) => {
  expect(call).toThrow(message);
});
