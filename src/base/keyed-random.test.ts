import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyedRandom, type Random, sampleWithoutReplacement } from './keyed-random.ts';

const repeat = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

function chiSquare(draws: readonly number[], cells: number): number {
  const counts = repeat(cells, () => 0);
  for (const draw of draws) counts[draw] = (counts[draw] ?? 0) + 1;
  const expected = draws.length / cells;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

const drawBelow = (random: Random, limit: number) => () => random.below(limit);

describe('keyedRandom', () => {
  test.each([
    [0, 0, [1694284211, 969, 0.7792387155081356]],
    [42, 7, [1702957438, 920, 0.534161648864053]],
    [42, 'row-7', [393967816, 246, 0.6619280622536794]],
    [-1.5, '', [1623009405, 887, 0.16123258932671358]],
    [42, '日本😀', [505420792, 179, 0.09607530267559605]],
  ])('always draws the same for seed %d and key %j', (seed, key, expected) => {
    const random = keyedRandom(seed, key);
    expect([random.below(2 ** 32), random.below(1000), random.next()]).toEqual(expected);
  });

  test('takes a number and its text for the same key', () => {
    expect(keyedRandom(1, 23).next()).toBe(keyedRandom(1, '23').next());
  });

  test('does not depend on what other keys drew', () => {
    const alone = keyedRandom(5, 'b');
    const expected = repeat(4, () => alone.next());
    const [first, second] = [keyedRandom(5, 'a'), keyedRandom(5, 'b')];
    const drawn = repeat(4, () => {
      first.next();
      return second.next();
    });
    expect(drawn).toEqual(expected);
  });

  test('draws differently for each seed and key', () => {
    const drawn = repeat(200, (seed) => repeat(200, (key) => keyedRandom(seed, key).next()));
    expect(new Set(drawn.flat()).size).toBe(40_000);
  });

  // 99.99th percentile of chi-square with 9 degrees of freedom: 33.7.
  test.each([
    ['within a key', () => repeat(10_000, drawBelow(keyedRandom(1, 'one'), 10))],
    ['across keys', () => repeat(10_000, (key) => keyedRandom(1, key).below(10))],
    ['across seeds', () => repeat(10_000, (seed) => keyedRandom(seed, 'one').below(10))],
    ['as fractions', () => repeat(10_000, (key) => Math.floor(keyedRandom(2, key).next() * 10))],
  ])('is uniform %s', (_, draw) => {
    expect(chiSquare(draw(), 10)).toBeLessThan(33.7);
  });

  test('is uniform below a limit that does not divide 2^32', () => {
    const limit = 3 * 2 ** 30;
    const random = keyedRandom(3, 'large');
    const thirds = repeat(9000, () => Math.floor(random.below(limit) / 2 ** 30));
    expect(chiSquare(thirds, 3)).toBeLessThan(18.5);
  });

  test.each([0, -1, 0.5, Number.NaN, 2 ** 32 + 1])('refuses the limit %d', (limit) => {
    const error = expect.objectContaining({ code: 'random.bad_limit' });
    expect(() => keyedRandom(1, 1).below(limit)).toThrow(error);
  });
});

describe('sampleWithoutReplacement', () => {
  test('draws distinct numbers in range, and the same again', () => {
    const sizes = fc.nat(300).chain((size) => fc.tuple(fc.constant(size), fc.nat(size)));
    fc.assert(
      fc.property(fc.integer(), fc.string(), sizes, (seed, key, [size, count]) => {
        const draw = () => sampleWithoutReplacement(keyedRandom(seed, key), size, count);
        const drawn = draw();
        expect(drawn).toHaveLength(count);
        expect(new Set(drawn).size).toBe(count);
        expect(drawn.every((row) => Number.isInteger(row) && row >= 0 && row < size)).toBe(true);
        expect(draw()).toEqual(drawn);
      }),
    );
  });

  test('begins alike however many are drawn', () => {
    const draw = (count: number) => sampleWithoutReplacement(keyedRandom(9, 'row'), 50, count);
    expect(draw(50).slice(0, 8)).toEqual(draw(8));
  });

  test('gives each ordered pair alike', () => {
    const pairs = repeat(12_000, (key) => {
      const [first = 0, second = 0] = sampleWithoutReplacement(keyedRandom(4, key), 4, 2);
      return first * 3 + (second > first ? second - 1 : second);
    });
    // 99.99th percentile of chi-square with 11 degrees of freedom: 37.4.
    expect(chiSquare(pairs, 12)).toBeLessThan(37.4);
  });

  test('draws from more rows than memory would hold', () => {
    const drawn = sampleWithoutReplacement(keyedRandom(4, 'huge'), 2 ** 32, 3);
    expect(drawn).toEqual([4269146204, 2306770469, 88526290]);
  });

  test('refuses to draw more than there are', () => {
    const error = expect.objectContaining({ code: 'random.bad_sample' });
    expect(() => sampleWithoutReplacement(keyedRandom(1, 1), 2, 3)).toThrow(error);
  });
});
