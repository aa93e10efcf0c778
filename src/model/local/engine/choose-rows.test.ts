import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { type BatchLimits, chooseRows } from './choose-rows.ts';

const limits: BatchLimits = { rows: 8, newTokens: 200, cacheTokens: 2000, allowsPadding: true };
const rows = (...sizes: [past: number, length: number][]) =>
  sizes.map(([past, length]) => ({ past, length }));

test.each([
  { name: 'all that are alike', given: rows([0, 5], [0, 7], [3, 6]), chosen: [0, 1, 2] },
  { name: 'the first alone if others are not', given: rows([0, 150], [0, 20]), chosen: [0] },
  { name: 'none much deeper', given: rows([10, 5], [500, 5], [12, 5]), chosen: [0, 2] },
  { name: 'as many as fit', given: rows([0, 90], [0, 90], [0, 90]), chosen: [0, 1] },
  { name: 'as many as the cache holds', given: rows([900, 9], [900, 9], [900, 9]), chosen: [0, 1] },
  { name: 'one that is too long alone', given: rows([0, 999], [0, 999]), chosen: [0] },
  {
    name: 'no more than the limit',
    given: rows(...Array(9).fill([0, 1])),
    chosen: [0, 1, 2, 3, 4, 5, 6, 7],
  },
])('chooses $name', ({ given, chosen }) => {
  expect(chooseRows(given, limits)).toEqual(chosen.map((index) => given[index]));
});

test('as many sequences as the limit allows, whatever rows they share', () => {
  const given = [3, 0, 3, 3, 1].map((sequences) => ({
    past: 0,
    length: 5,
    sequences: Array(sequences),
  }));
  expect(chooseRows(given, limits)).toEqual([given[0], given[1], given[2], given[4]]);
});

test('without padding only rows of one size', () => {
  const given = rows([4, 5], [4, 6], [4, 5], [3, 5]);
  const strict = { ...limits, allowsPadding: false };
  expect(chooseRows(given, strict)).toEqual([given[0], given[2]]);
});

it('always takes the first, and keeps the limits with padding', () => {
  const size = fc.record({ past: fc.nat(1500), length: fc.integer({ min: 1, max: 300 }) });
  fc.assert(
    fc.property(fc.array(size, { minLength: 1 }), (given) => {
      const chosen = chooseRows(given, limits);
      expect(chosen[0]).toBe(given[0]);
      const length = Math.max(...chosen.map((row) => row.length));
      const past = Math.max(...chosen.map((row) => row.past));
      if (chosen.length === 1) return;
      expect(chosen.length * length).toBeLessThanOrEqual(200);
      expect(chosen.length * (past + length)).toBeLessThanOrEqual(2000);
    }),
  );
});
