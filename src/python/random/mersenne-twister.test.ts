import { expect, test } from 'vitest';
import { MersenneTwister } from './mersenne-twister.ts';

const draw = (generator: MersenneTwister, count: number) =>
  Array.from({ length: count }, () => generator.next());

test('gives the first outputs that its authors published for a key', () => {
  const generator = MersenneTwister.fromKey([0x123, 0x234, 0x345, 0x456]);
  expect(draw(generator, 5)).toEqual([1067595299, 955945823, 477289528, 4107218783, 4228976476]);
});

test('gives the 10,000th output that the C++ standard requires for seed 5489', () => {
  expect(draw(MersenneTwister.fromSeed(5489), 10_000).at(-1)).toBe(4123659995);
});

test('takes keys longer than its state, as CPython does', () => {
  const key = Array.from({ length: 700 }, (_, index) => index);
  expect(draw(MersenneTwister.fromKey(key), 3)).toEqual([3727595200, 1914792892, 3929396303]);
});
