import { expect, test } from 'vitest';
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import { keyedRandom } from '../base/keyed-random.ts';
import { permutationTest } from './permutation.ts';

test.each(scipy.permutation_exact.cases)('SciPy, exact: $differences', ({ differences, value }) => {
  expect(permutationTest(differences, { seed: 0 })).toEqual({
    p: expect.closeTo(value, 12),
    method: 'exact',
  });
});

test.each(scipy.permutation_sampled.cases)('SciPy, sampled', ({ differences, value }) => {
  const { p, method } = permutationTest(differences, { seed: 1, resamples: 40_000 });
  expect(method).toBe('sampled');
  const error = Math.sqrt((value * (1 - value)) / 40_000);
  expect(Math.abs(p - value)).toBeLessThan(4 * error);
});

function noise(seed: number, count: number, shift = 0): number[] {
  const random = keyedRandom(seed, 'noise');
  return Array.from({ length: count }, () => random.next() ** 2 - random.next() ** 2 + shift);
}

test('sampled and the limit for many pairs agree', () => {
  const values = noise(1, 10_001, 0.008);
  const all = permutationTest(values, { seed: 0 });
  expect(all.method).toBe('normal');
  const most = permutationTest(values.slice(1), { seed: 0, resamples: 2000 });
  expect(most.method).toBe('sampled');
  expect(Math.abs(all.p - most.p)).toBeLessThan(0.03);
});

test('the seed settles it; pairs without a difference and all signs turned do not matter', () => {
  const values = noise(2, 50, 0.1);
  const found = permutationTest(values, { seed: 1, resamples: 500 });
  expect(permutationTest(values, { seed: 1, resamples: 500 })).toEqual(found);
  expect(permutationTest([0, ...values, 0], { seed: 1, resamples: 500 })).toEqual(found);
  const turned = values.map((value) => -value);
  expect(permutationTest(turned, { seed: 1, resamples: 500 })).toEqual(found);
});

test('never 0 when sampled', () => {
  const values = Array.from({ length: 40 }, () => 1);
  expect(permutationTest(values, { seed: 0, resamples: 99 }).p).toBe(0.01);
});

test('without a difference it is significant about 5 times in 100', () => {
  const runs = 600;
  let errors = 0;
  for (let run = 0; run < runs; run += 1) {
    if (permutationTest(noise(run, 30), { seed: run, resamples: 199 }).p <= 0.05) errors += 1;
  }
  expect(errors / runs).toBeLessThan(0.075);
  expect(errors / runs).toBeGreaterThan(0.025);
});

test('odd input', () => {
  expect(permutationTest([], { seed: 0 })).toEqual({ p: 1, method: 'exact' });
  expect(permutationTest([0, 0], { seed: 0 }).p).toBe(1);
  expect(() => permutationTest([Number.NaN], { seed: 0 })).toThrow('not finite');
  expect(() => permutationTest([1], { seed: 0, resamples: 0 })).toThrow('0 is not a count');
});
