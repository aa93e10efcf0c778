import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { argMax, logSumExp, topIndexes, widen } from './logits.ts';

const row = Float32Array.of(1, 3, -2, 3, 0);

test('the greatest number, the first of equals', () => {
  expect(argMax(row)).toBe(1);
  expect(argMax(Float32Array.of(Number.NaN, Number.NaN))).toBe(-1);
});

test.each([
  { count: 0, indexes: [] },
  { count: 1, indexes: [1] },
  { count: 3, indexes: [1, 3, 0] },
  { count: 9, indexes: [1, 3, 0, 4, 2] },
])('the $count greatest', ({ count, indexes }) => {
  expect(topIndexes(row, count)).toEqual(indexes);
});

it('finds the greatest as sorting does', () => {
  const numbers = fc.array(fc.integer({ min: -5, max: 5 }));
  fc.assert(
    fc.property(numbers, fc.nat(12), (values, count) => {
      const sorted = [...values.keys()].sort(
        (a, b) => (values[b] as number) - (values[a] as number) || a - b,
      );
      expect(topIndexes(Float32Array.from(values), count)).toEqual(sorted.slice(0, count));
    }),
  );
});

test.each([
  { values: [0, 0], expected: Math.log(2) },
  { values: [1000, 999], expected: 1000 + Math.log1p(Math.exp(-1)) },
  { values: [-1000, Number.NEGATIVE_INFINITY], expected: -1000 },
])('log of the sum of exponentials of $values', ({ values, expected }) => {
  expect(logSumExp(Float32Array.from(values))).toBeCloseTo(expected, 12);
});

test('no log of the sum of what are no numbers', () => {
  expect(logSumExp(Float32Array.of(Number.NaN))).toBeNaN();
});

test('half precision', () => {
  const bits = Uint16Array.of(0, 0x8000, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x03ff, 0x7c00, 0x3555);
  const numbers = [0, -0, 1, -2, 65504, 2 ** -24, 1023 * 2 ** -24, Infinity, 0.333251953125];
  expect([...widen(bits)]).toEqual(numbers);
  expect(widen(Uint16Array.of(0x7e00))[0]).toBeNaN();
});
