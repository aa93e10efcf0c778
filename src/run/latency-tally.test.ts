import { expect, test } from 'vitest';
import { LatencyTally } from './latency-tally.ts';

function latencyOf(...milliseconds: number[]) {
  const tally = new LatencyTally();
  for (const [id, ms] of milliseconds.entries()) tally.add({ id, ms });
  return tally.latency;
}

test('there is none without answers', () => {
  expect(latencyOf()).toBeUndefined();
});

test.each([1.5, 12, 340, 1000, 7_777, 61_000])('of answers that all took %d ms', (ms) => {
  const { total = 0, median = 0, p95 = 0 } = latencyOf(...Array(10).fill(ms)) ?? {};
  expect(total).toBeCloseTo(ms / 100, 9);
  // Steps of 5 %, shown in two digits.
  for (const found of [median, p95]) expect(Math.abs((found * 1000) / ms - 1)).toBeLessThan(0.075);
});

test('half of the answers are as fast as the median, and 95 of 100 as the 95th percentile', () => {
  const times = Array.from({ length: 100 }, (_, index) => (index + 1) * 10);
  const { total = 0, median = 0, p95 = 0 } = latencyOf(...times) ?? {};
  expect(total).toBeCloseTo(50.5, 9);
  expect(Math.abs(median / 0.5 - 1)).toBeLessThan(0.04);
  expect(Math.abs(p95 / 0.95 - 1)).toBeLessThan(0.04);
  const { longest: _, ...reversed } = latencyOf(...times.toReversed()) ?? {};
  expect(latencyOf(...times)).toMatchObject(reversed);
  expect(latencyOf(1, 1, 1, 5000)?.median).toBe(0.001);
});

test('names the rows that took longest, and when streamed answers began', () => {
  const tally = new LatencyTally();
  for (const [id, ms] of [40, 900, 10, 900, 70].entries()) tally.add({ id, ms, firstMs: ms / 10 });
  tally.add({ id: 5 });
  expect(tally.latency).toMatchObject({
    longest: [
      { id: 1, seconds: 0.9 },
      { id: 3, seconds: 0.9 },
      { id: 4, seconds: 0.07 },
    ],
    firstToken: { median: expect.closeTo(0.007, 3), p99: expect.closeTo(0.09, 2) },
  });
});

test('sums are those of all answers, and the longest three are named', () => {
  expect(latencyOf(5)).toMatchObject({ total: 0.005, longest: [{ id: 0, seconds: 0.005 }] });
  expect(latencyOf(1, 2, 3, 4)?.longest?.map(({ id }) => id)).toEqual([3, 2, 1]);
  expect(latencyOf(4, 4, 4, 4)?.longest?.map(({ id }) => id)).toEqual([0, 1, 2]);
  expect(latencyOf(0.5, 1)?.median).toBe(0.001);
  expect(latencyOf(5)).not.toHaveProperty('firstToken');
});
