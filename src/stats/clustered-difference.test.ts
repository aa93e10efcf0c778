import { expect, test } from 'vitest';
import { clusteredDifference } from './clustered-difference.ts';
import { clusteredMean } from './clustered-mean.ts';
import { permutationTest } from './permutation.ts';

const clusters = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'e', 'e', 'f', 'f'];
const differences = [1, 1, 0, 1, 0, 0, 1, 0, -1, 0, 1, 1];

test('each cluster has one sign', () => {
  const { p, method } = clusteredDifference(differences, { clusters, seed: 1, steps: 1 });
  const sums = [2, 1, 0, 1, -1, 2];
  expect(p).toBe(permutationTest(sums, { seed: 1 }).p);
  expect(method).toBe('exact');
});

test('halves and thirds of right answers are counted exactly too', () => {
  const thirds = differences.map((difference) => difference / 3);
  const options = { clusters, seed: 1 };
  const whole = clusteredDifference(thirds, { ...options, steps: 3 });
  expect(whole.p).toBe(clusteredDifference(differences, { ...options, steps: 1 }).p);
  expect(clusteredDifference(thirds, options).p).toBeCloseTo(whole.p, 12);
});

test('the interval is the cluster-robust one, and no narrower than that of independent rows', () => {
  const found = clusteredDifference(differences, { clusters, seed: 1 });
  const robust = clusteredMean(differences, { clusters });
  expect(found.difference).toMatchObject({
    value: robust?.value,
    low: expect.closeTo(robust?.low ?? 0, 12),
    high: expect.closeTo(robust?.high ?? 0, 12),
    method: 'clustered',
  });
  // Differences that cancel within clusters look certain, and are not.
  const cancelled = clusteredDifference([1, -1, 1, -1, 1, -1], {
    clusters: [1, 1, 2, 2, 3, 3],
    seed: 1,
  });
  expect(cancelled.standardError).toBeGreaterThan(0.4);
});

test('all alike: as many clusters as may have been missed could differ', () => {
  const zeros = clusteredDifference([0, 0, 0, 0, 0, 0], {
    clusters: [1, 1, 2, 2, 3, 3],
    seed: 1,
    largest: 1,
  });
  expect(zeros.p).toBe(1);
  expect(zeros.difference?.low).toBeLessThan(-0.5);
  expect(zeros.difference?.high).toBeGreaterThan(0.5);
  const unbounded = clusteredDifference([2, 2, 2], { clusters: [1, 2, 3], seed: 1 });
  expect(unbounded.difference).toBeUndefined();
});

test('one cluster has no interval', () => {
  const found = clusteredDifference([1, 1, 0], { clusters: ['a', 'a', 'a'], seed: 1, largest: 1 });
  expect(found).toMatchObject({ clusters: 1, p: 1 });
  expect(found.difference).toBeUndefined();
});

test('two clusters have an interval, one has none', () => {
  const two = clusteredDifference([1, 0, 0.5], { clusters: ['a', 'a', 'b'], seed: 1 });
  expect(two).toMatchObject({ clusters: 2, difference: { value: 0.5 } });
  expect(two.standardError).toBeGreaterThan(0);
  const one = clusteredDifference([1, 0, 0.5], { clusters: ['a', 'a', 'a'], seed: 1 });
  expect(one).toMatchObject({ clusters: 1, standardError: 0 });
  expect(one).not.toHaveProperty('difference');
});
