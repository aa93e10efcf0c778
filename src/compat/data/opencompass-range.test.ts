import { describe, expect, test } from 'vitest';
import { Float } from '../../prompt/values.ts';
import { opencompassRange } from './opencompass-range.ts';

const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

test.each([null, undefined, '', ' ', 0, -1, false, 10, 11, new Float(0), new Float(10), Infinity])(
  '%j keeps all rows in order',
  (range) => {
    expect(opencompassRange(10, range)).toEqual(all);
  },
);

test.each([
  [10, 3, [1, 5, 6]],
  [10, 7, [8, 3, 1, 4, 7, 0, 9]],
  [10, 1, [6]],
  [10, true, [6]],
  [10, 0.5, [2, 3, 1, 0, 8]],
  [10, new Float(0.25), [5, 9]],
  [10, 0.05, []],
  [1, true, [0]],
  [0, 0.5, []],
  [100, 5, [91, 2, 30, 33, 58]],
  [100, 0.05, [91, 2, 30, 33, 58]],
  [1000, 8, [396, 438, 457, 816, 105, 993, 68, 131]],
])('of %d rows, %j draws %j', (total, range, expected) => {
  expect(opencompassRange(total, range)).toEqual(expected);
});

test.each([
  ['[:]', all],
  ['[:3]', [0, 1, 2]],
  [' [ 2 : 5 ] ', [2, 3, 4]],
  ['[-2:]', [8, 9]],
  ['[- 2:+ 9]', [8]],
  ['[::4]', [0, 4, 8]],
  ['[::-1]', all.toReversed()],
  ['[:-4:-1]', [9, 8, 7]],
  ['[-1:-99:-4]', [9, 5, 1]],
  ['[99::-5]', [9, 4]],
  ['[-99:2]', [0, 1]],
  ['[5:2]', []],
  ['[2:5:-1]', []],
  ['[99:]', []],
  ['[None:2:None]', [0, 1]],
  ['[:1_0:5]', [0, 5]],
  ['[8:00:-3]', [8, 5, 2]],
  ['[0:8][2:4]', [2, 3]],
  ['[::-1] [:6][::2]', [9, 7, 5]],
  [`[:${'9'.repeat(400)}:${'9'.repeat(400)}]`, [0]],
])('%s keeps %j', (range, expected) => {
  expect(opencompassRange(10, range)).toEqual(expected);
});

describe('refuses', () => {
  test.each([
    1.5,
    new Float(1),
    new Float(2),
    Number.NaN,
    '[3]',
    '[0:8][3]',
    '[3][0:8]',
    '[::0]',
    '[]',
    '[:::]',
    '[1:2',
    '[1:2]]',
    '[1.5:]',
    '[07:]',
    '[0x1:]',
    '[1:2, 3:4]',
    '[len(index_list):]',
    '.pop()',
    '[:3] + [1]',
    '5',
  ])('%j', (range) => {
    const error = expect.objectContaining({ name: 'DataError', code: 'data.bad_range' });
    expect(() => opencompassRange(10, range)).toThrow(error);
  });

  test('with the position in the range', () => {
    expect(() => opencompassRange(10, '[0:8] [3]')).toThrow("'[0:8] [3]' has no slice at '[3]'");
    expect(() => opencompassRange(10, new Float(2))).toThrow('range 2.0 is neither a count');
  });
});
