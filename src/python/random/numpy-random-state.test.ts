import { expect, test } from 'vitest';
import { NumpyRandomState } from './numpy-random-state.ts';

// Expected values were printed by NumPy 2.4.6.
test.each([
  [0, 1, 1, [[0], [0]]],
  [
    43,
    10,
    3,
    [
      [3, 9, 6],
      [8, 5, 1],
      [8, 7, 1],
      [6, 3, 5],
    ],
  ],
  [
    43,
    100,
    5,
    [
      [20, 2, 15, 22, 57],
      [39, 29, 82, 85, 87],
    ],
  ],
  [
    2 ** 32 - 1,
    6,
    6,
    [
      [1, 4, 5, 0, 2, 3],
      [3, 4, 5, 0, 1, 2],
    ],
  ],
  [1, 5, 0, [[], []]],
])('seed %d, of %d choose %d', (seed, size, count, expected) => {
  const random = new NumpyRandomState(seed);
  expect(expected.map(() => random.choice(size, count))).toEqual(expected);
});

test('refuses to choose more than there are', () => {
  const error = expect.objectContaining({ code: 'random.bad_sample' });
  expect(() => new NumpyRandomState(43).choice(2, 3)).toThrow(error);
});
