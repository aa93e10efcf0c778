import fc from 'fast-check';
import { expect, test } from 'vitest';
import { permutationTest } from './permutation.ts';
import { signSums } from './sign-sums.ts';

const sumOf = (terms: readonly number[]) => Math.abs(terms.reduce((sum, term) => sum + term, 0));

test('few terms: all choices of signs, as the permutation test counts them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 12 }),
      (terms) => {
        const { p } = permutationTest(terms, { seed: 0 });
        expect(signSums(terms).shareBeyond(sumOf(terms))).toBeCloseTo(p, 9);
      },
    ),
  );
});

test('many equal terms: close to the exact share', () => {
  const terms = Array.from({ length: 60 }, (_, index) => (index < 40 ? 1 : -1));
  // 40 or more of 60 fair coins on one side: 2 × 0.00674.
  expect(Math.abs(signSums(terms).shareBeyond(20) / 0.01349 - 1)).toBeLessThan(0.05);
});

test('a few that outweigh all others are not taken for many', () => {
  const heavy = Array.from({ length: 4 }, () => 0.25);
  const light = Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? 0.001 : -0.001));
  const { shareBeyond, reachOf } = signSums([...heavy, ...light]);
  // One sum of 16 is as far out on either side, and the many small terms move it up or down by chance.
  expect(shareBeyond(1)).toBeGreaterThan(0.06);
  expect(reachOf(0.05)).toBeGreaterThan(1);
});

test('the reach is where the share is: beyond all sums where none is that rare', () => {
  expect(signSums([1, 1, 1]).reachOf(0.05)).toBe(Number.POSITIVE_INFINITY);
  expect(signSums([], 4).reachOf(0.05)).toBeCloseTo(1.959964 * 2, 4);
  const { reachOf, shareBeyond } = signSums(Array.from({ length: 12 }, (_, index) => 1 + index));
  const reach = reachOf(0.05);
  expect(shareBeyond(reach + 1e-6)).toBeLessThanOrEqual(0.05);
  expect(shareBeyond(reach - 1e-6)).toBeGreaterThan(0.05);
});

test('a share that the largest sum has exactly is reached by it', () => {
  // Half of the sums of two terms are 2 or -2; those of 3, 2 and 1 are 6, 4, 2 and 0, a quarter each.
  expect(signSums([1, 1]).reachOf(0.5)).toBeCloseTo(0, 6);
  expect(signSums([1, 1]).reachOf(0.49)).toBe(Number.POSITIVE_INFINITY);
  expect(signSums([3, 2, 1]).reachOf(0.25)).toBeCloseTo(4, 6);
  expect(signSums([3, 2, 1]).reachOf(0.5)).toBeCloseTo(2, 6);
});
