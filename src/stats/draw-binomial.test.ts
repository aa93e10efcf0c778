import { expect, test } from 'vitest';
import { keyedRandom } from '../base/keyed-random.ts';
import { logBinomialTerm } from './deviance.ts';
import { drawBinomial } from './draw-binomial.ts';

test.each([
  { trials: 7, rate: 0.3 },
  { trials: 1000, rate: 0.004 },
  { trials: 40, rate: 0.5 },
  { trials: 60, rate: 0.83 },
  { trials: 5000, rate: 0.01 },
])('draws as often as $trials trials at $rate say', ({ trials, rate }) => {
  const random = keyedRandom(1, `${trials}/${rate}`);
  const draws = 40_000;
  const counts = new Map<number, number>();
  for (let index = 0; index < draws; index += 1) {
    const drawn = drawBinomial(random, trials, rate);
    counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
  }
  let chiSquare = 0;
  let cells = 0;
  for (let successes = 0; successes <= trials; successes += 1) {
    const expected = draws * Math.exp(logBinomialTerm(successes, { trials, rate }));
    if (expected < 10) continue;
    cells += 1;
    chiSquare += ((counts.get(successes) ?? 0) - expected) ** 2 / expected;
  }
  // Four deviations above the mean of chi-square.
  expect(chiSquare).toBeLessThan(cells + 4 * Math.sqrt(2 * cells));
});

test('large numbers of trials', () => {
  const random = keyedRandom(2, 'large');
  const [trials, rate] = [1e9, 0.2];
  const drawn = Array.from({ length: 2000 }, () => drawBinomial(random, trials, rate));
  const mean = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
  const deviation = Math.sqrt(trials * rate * (1 - rate));
  expect(Math.abs(mean - trials * rate)).toBeLessThan((4 * deviation) / Math.sqrt(drawn.length));
  const within = drawn.filter((value) => Math.abs(value - trials * rate) < deviation).length;
  expect(within / drawn.length).toBeCloseTo(0.683, 1);
});

test.each([
  [0, 0.5, 0],
  [9, 0, 0],
  [9, -1e-18, 0],
  [9, 1, 9],
  [9, 1 + 1e-16, 9],
])('%d trials at %d: %d', (trials, rate, expected) => {
  expect(drawBinomial(keyedRandom(0, 0), trials, rate)).toBe(expected);
});

test('the ends are certain', () => {
  const random = keyedRandom(1, 'ends');
  for (const trials of [1, 9, 10, 11, 5000]) {
    expect(drawBinomial(random, trials, 0)).toBe(0);
    expect(drawBinomial(random, trials, -0.1)).toBe(0);
    expect(drawBinomial(random, trials, 1)).toBe(trials);
    expect(drawBinomial(random, trials, 1.1)).toBe(trials);
  }
  expect([drawBinomial(random, 0, 0.5), drawBinomial(random, -1, 0.5)]).toEqual([0, 0]);
});

test('draws stay within the trials', () => {
  const random = keyedRandom(2, 'within');
  for (const [trials, rate] of [
    [1, 0.5],
    [3, 0.97],
    [25, 0.49],
    [40, 0.98],
    [1000, 0.999],
  ] as const) {
    const drawn = Array.from({ length: 2000 }, () => drawBinomial(random, trials, rate));
    expect(drawn.every((one) => Number.isInteger(one) && one >= 0 && one <= trials)).toBe(true);
  }
});
