import { expect, test } from 'vitest';
import { Float } from '../prompt/values.ts';
import { needsTotal, type RowRange, selectRange, sliceRows } from './row-range.ts';

// What Python gives for list(range(total))[…].
test.each<[total: number, range: string, rows: number[]]>([
  [4, '[-1:-9:-2]', [3, 1]],
  [5, '[3:-5]', []],
  [1, '[:1:-1]', []],
  [5, '[:-4:-1]', [4, 3, 2]],
  [7, '[0:-1:-3]', []],
  [4, '[-9:-1:1]', [0, 1, 2]],
  [5, '[9:0]', []],
  [7, '[0:9:3]', [0, 3, 6]],
  [5, '[-1:-9:-3]', [4, 1]],
  [7, '[-1::2]', [6]],
  [5, '[1:5:2]', [1, 3]],
  [7, '[4:9:3]', [4]],
  [5, '[-5:9:1]', [0, 1, 2, 3, 4]],
  [1, '[1:-4:-2]', [0]],
  [5, '[5:0:-2]', [4, 2]],
  [9, '[1:8][::2]', [1, 3, 5, 7]],
  [9, '[::-1][:3]', [8, 7, 6]],
  [9, '[5:2][::-1]', []],
  [9, '[-6:][1:-1][::-2]', [7, 5]],
  [0, '[:3]', []],
  [1000, '[1_0:+1_2]', [10, 11]],
  [6, '[None:None:-4]', [5, 1]],
  [3, ' ', [0, 1, 2]],
])('of %i rows %s keeps %j', (total, range, rows) => {
  expect(selectRange(total, range)).toEqual(rows);
  const all = Array.from({ length: total }, (_, index) => index);
  expect(sliceRows(all, range)).toEqual(rows);
});

test.each<[RowRange | undefined, number, boolean]>([
  [undefined, 10, false],
  [1, 1, false],
  [3, 3, false],
  [11, 10, false],
  [new Float(2), 2, false],
  [0.25, 3, true],
  [new Float(0.25), 3, true],
  [0.01, 1, true],
  [0.999, 10, true],
  ['[2:4]', 2, false],
  ['[-2:]', 2, true],
  ['[:-1]', 9, true],
  ['[::-1]', 10, true],
])('the first rows by %j: %i of 10', (range, count, byTotal) => {
  expect(selectRange(10, range)).toHaveLength(count);
  if (range !== undefined) expect(needsTotal(range)).toBe(byTotal);
  if (typeof range === 'number') expect(selectRange(10, range)[0]).toBe(0);
});

test.each<[RowRange, string]>([
  [0, 'neither a count nor a share'],
  [-1, 'neither a count nor a share'],
  [1.5, 'neither a count nor a share'],
  ['[1:2:0]', "no slice at '[1:2:0]'"],
  ['[1:2] x', "no slice at 'x'"],
  ['[01:2]', 'no slice'],
])('%j is no range', (range, message) => {
  expect(() => selectRange(10, range)).toThrow(message);
});
