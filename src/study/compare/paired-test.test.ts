import { expect, test } from 'vitest';
import { keyedRandom } from '../../base/keyed-random.ts';
import { assessDatasetMetric, assessPairs, fewestPairs } from './paired-test.ts';

function repeat(...parts: readonly [a: number, b: number, times: number][]) {
  const side = (place: 0 | 1) =>
    Float64Array.from(parts.flatMap((part) => Array<number>(part[2]).fill(part[place])));
  return { a: side(0), b: side(1) };
}

test('right and wrong: McNemar, with the interval and what more rows would show', () => {
  const scores = repeat([1, 1, 59], [1, 0, 6], [0, 1, 16], [0, 0, 80]);
  const found = assessPairs(scores, 0.95);
  expect(found).toMatchObject({
    pairs: 161,
    a: 65 / 161,
    b: 75 / 161,
    difference: 10 / 161,
    p: expect.closeTo(0.052479, 6),
    test: { type: 'mcnemar', onlyA: 6, onlyB: 16, both: 59, neither: 80 },
    interval: { low: expect.closeTo(0.0054, 4), high: expect.closeTo(0.124, 4), method: 'score' },
  });
  expect(found?.neededPairs).toBeGreaterThan(161);
  expect(found?.detectable).toBeGreaterThan(10 / 161);
});

test('other scores: an interval for any distribution and a permutation test', () => {
  const random = keyedRandom(1, 'scores');
  const a = Float64Array.from({ length: 80 }, () => random.next());
  const b = a.map((score, index) => (index % 4 === 0 ? score : Math.min(1, score + 0.1)));
  const found = assessPairs({ a, b }, 0.95);
  expect(found?.test).toMatchObject({ type: 'permutation', method: 'sampled', higherA: 0 });
  expect(found?.interval?.method).toBe('bounded');
  expect(found?.p).toBeLessThan(0.001);
  expect(found?.neededPairs).toBeLessThan(80);
  const turned = assessPairs({ a: b, b: a }, 0.95);
  expect(turned?.difference).toBeCloseTo(-(found?.difference ?? 0), 12);
  expect(turned?.interval?.low).toBeCloseTo(-(found?.interval?.high ?? 0), 2);
});

test('a measure of all rows together', () => {
  const scores = repeat([1, 1, 30], [1, 0, 5], [0, 1, 12], [0, 0, 13]);
  const cellsOf = (side: Float64Array) =>
    ({ type: 'cells', cells: Uint32Array.from(side) }) as const;
  const paired = {
    a: cellsOf(scores.a),
    b: cellsOf(scores.b),
    length: 2,
    measure: ([wrong = 0, right = 0]: Float64Array) => right ** 2 / (wrong + right) ** 2,
  };
  const found = assessDatasetMetric({ scores, paired }, 0.95);
  expect(found).toMatchObject({
    pairs: 60,
    a: expect.closeTo((35 / 60) ** 2, 12),
    b: expect.closeTo((42 / 60) ** 2, 12),
    test: { type: 'swap', method: 'sampled', higherA: 5, higherB: 12, equal: 43 },
  });
  expect(found?.detectable).toBeGreaterThan(0);
});

test('nothing to assess, and too little for an interval', () => {
  expect(assessPairs(repeat(), 0.95)).toBeUndefined();
  expect(assessPairs(repeat([0.2, 0.5, 5]), 0.95)?.interval).toBeUndefined();
  const few = assessPairs(repeat([0.2, 0.5, 2], [0.2, 0.4, 2]), 0.95);
  expect([few?.neededPairs, few?.detectable]).toEqual([undefined, undefined]);
  const clear = assessPairs(repeat([0.2, 0.5, 4], [0.2, 0.499, 4]), 0.95);
  expect(clear?.neededPairs).toBeGreaterThanOrEqual(fewestPairs(0.95));
  const same = assessPairs(repeat([0.2, 0.5, 6]), 0.95);
  // Of 6 rows up to 45.9 % may be unlike those seen (Clopper and Pearson, 0 of 6).
  expect(same?.p).toBe(2 / 64);
  expect(same?.interval?.low).toBeCloseTo(0.3 - 1.3 * 0.459, 1);
  expect(same?.interval?.high).toBeCloseTo(0.3 + 0.7 * 0.459, 1);
  expect(same).not.toHaveProperty('neededPairs');
  expect([0.9, 0.95, 0.99].map(fewestPairs)).toEqual([5, 6, 8]);
});

test('rows in clusters: signs turn together, and clusters are what there is to plan with', () => {
  const names = Array.from({ length: 40 }, (_, row) => String(Math.floor(row / 5)));
  const b = Float64Array.from(names, (name) => (Number(name) < 5 ? 1 : 0));
  const a = new Float64Array(40);
  const clusters = { by: 'document', names };
  const found = assessPairs({ a, b, clusters }, 0.95);
  expect(found).toMatchObject({
    pairs: 40,
    clusters: { by: 'document', count: 8 },
    difference: 0.625,
    p: 2 * 0.5 ** 5,
    test: { type: 'permutation', method: 'exact', higherA: 0, higherB: 25, equal: 15 },
    interval: { method: 'clustered' },
  });
  // As many rows as whole clusters have, and no fewer than there are if they find nothing yet.
  expect((found?.neededPairs ?? 0) % 5).toBe(0);
  const single = assessPairs(
    { a, b, clusters: { by: 'row', names: names.map((_, row) => String(row)) } },
    0.95,
  );
  expect(single?.p).toBeCloseTo(assessPairs({ a, b }, 0.95)?.p ?? 0, 12);
  expect(single?.neededPairs).toBeLessThan(found?.neededPairs ?? 0);
});
