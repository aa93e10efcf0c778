import { describe, expect, test } from 'vitest';
import { CPythonRandom } from './cpython-random.ts';

// All expected values were printed by CPython 3.11.7.

test.each([
  [0n, [3626764237, 1654615998, 3255389356]],
  [42n, [2746317213, 478163327, 107420369]],
  [-42n, [2746317213, 478163327, 107420369]],
  [2n ** 32n, [485306839, 1508871100, 1794561286]],
  [2n ** 64n + 5n, [2192917427, 3085273184, 3778534651]],
  [-(10n ** 30n), [4012147334, 2100903950, 2256175901]],
])('seed %d', (seed, expected) => {
  const random = new CPythonRandom(seed);
  expect(expected.map(() => random.bits(32))).toEqual(expected);
});

test('a number and a bigint are the same seed', () => {
  expect(new CPythonRandom(42).bits(32)).toBe(new CPythonRandom(42n).bits(32));
});

test('bits, from none to 53', () => {
  const random = new CPythonRandom(7);
  const drawn = [1, 31, 32, 33, 53, 0, 8].map((count) => random.bits(count));
  expect(drawn).toEqual([0, 2035525362, 647892279, 5990721294, 652444394356688, 0, 210]);
});

test('numbers in [0, 1)', () => {
  const random = new CPythonRandom(7);
  const drawn = [random.next(), random.next(), random.next()];
  expect(drawn).toEqual([0.32383276483316237, 0.15084917392450192, 0.6509344730398537]);
});

test('whole numbers below a limit', () => {
  const random = new CPythonRandom(7);
  const limits = [1, 2, 10, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1];
  expect(limits.map((limit) => random.below(limit))).toEqual([
    0, 0, 6, 207388624, 2301595691, 2179419893, 774142246342872,
  ]);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 53])('refuses the limit %d', (limit) => {
  const error = expect.objectContaining({ code: 'random.bad_limit' });
  expect(() => new CPythonRandom(7).below(limit)).toThrow(error);
});

// The last number of each case is the next draw: the same amount of randomness was used up.
test.each([
  [[], 1022050301],
  [[0], 1022050301],
  [[0, 2, 3, 4, 1], 2687448230],
  [[1, 7, 10, 0, 6, 11, 4, 5, 2, 8, 9, 3], 3903345311],
])('shuffles into %j', (expected, next) => {
  const random = new CPythonRandom(3);
  const items = expected.map((_, index) => index);
  random.shuffle(items);
  expect([items, random.bits(32)]).toEqual([expected, next]);
});

describe('sample', () => {
  test.each([
    [0, 0, [], 1942955373],
    [4, 4, [3, 2, 1, 0], 2181161661],
    [21, 5, [14, 17, 20, 18, 16], 3672393040],
    [22, 5, [14, 17, 16, 18, 6], 793110136],
    [85, 6, [57, 71, 59, 84, 65, 75], 815623033],
    [86, 6, [57, 71, 59, 65, 75, 24], 793110136],
    [1_000_000, 3, [474354, 907796, 586963], 3680198571],
  ])('of %d, %d', (size, count, expected, next) => {
    const random = new CPythonRandom(11);
    expect([random.sample(size, count), random.bits(32)]).toEqual([expected, next]);
  });

  test.each([
    [85, 21, 59, 50],
    [86, 21, 59, 50],
    [277, 22, 276, 32],
    [278, 22, 260, 32],
  ])('of %d, %d: the third and the third last', (size, count, third, thirdLast) => {
    const drawn = new CPythonRandom(11).sample(size, count);
    expect([drawn.length, drawn[2], drawn.at(-3)]).toEqual([count, third, thirdLast]);
  });

  test.each([
    [3, 4],
    [3, -1],
    [3, 1.5],
  ])('of %d refuses %d', (size, count) => {
    const error = expect.objectContaining({ code: 'random.bad_sample' });
    expect(() => new CPythonRandom(11).sample(size, count)).toThrow(error);
  });
});
