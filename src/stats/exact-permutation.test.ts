import { expect, test } from 'vitest';
import { keyedRandom } from '../base/keyed-random.ts';
import { exactPermutation } from './exact-permutation.ts';
import { mcnemar } from './mcnemar.ts';
import { permutationTest } from './permutation.ts';

// All 16 signs of 2, 1, 1, 3 give sums of ±7 and ±5 twice, ±3 six times, ±1 six times.
test.each([
  [[2, 1, -1, 3], 6 / 16],
  [[2, 1, 1, 3], 2 / 16],
  [[1, -1], 1],
  [[0, 0], 1],
  [[], 1],
  [[-4], 1],
])('counted by hand: %j', (differences, p) => {
  expect(exactPermutation(differences)).toBeCloseTo(p, 12);
});

test('it is what going through all signs gives', () => {
  for (let run = 0; run < 50; run += 1) {
    const random = keyedRandom(run, 'signs');
    const differences = Array.from({ length: 3 + (run % 15) }, () => random.below(9) - 4);
    const { p, method } = permutationTest(differences, { seed: 0 });
    expect(method).toBe('exact');
    expect(exactPermutation(differences)).toBeCloseTo(p, 12);
  }
});

test('for single rows it is McNemar’s exact test, and it has no least value', () => {
  const differences = [...Array<number>(70).fill(1), ...Array<number>(10).fill(-1)];
  const { exact } = mcnemar({ onlyA: 10, onlyB: 70 });
  expect(exactPermutation(differences)).toBeCloseTo(exact, 15);
  expect(exactPermutation(Array<number>(200).fill(3)) ?? 1).toBeLessThan(1e-59);
});

test('nothing where it would take too long; only whole numbers', () => {
  expect(exactPermutation(Array<number>(20_000).fill(4))).toBeUndefined();
  expect(() => exactPermutation([0.5])).toThrow('not a whole number');
});
