import { expect, test } from 'vitest';
import { crossedCells } from './crossed-cells.ts';

const cells = (...names: string[]) =>
  names.map((name) => ({ settings: { template: name[0] ?? '', shots: name.slice(1) } }));
const named = (list: string) => cells(...list.split(' ').filter((name) => name !== ''));

test.each([
  ['all meet', 'a0 a1 b0 b1', 'a0 a1 b0 b1'],
  ['one of three templates lacks one of two', 'a0 a1 b0 b1 c0', 'a0 a1 b0 b1'],
  ['a number of examples is too much for most', 'a0 a1 a9 b0 b1 c0 c1', 'a0 a1 b0 b1 c0 c1'],
  ['the template stays if it is even', 'a0 a1 b0', 'a0 b0'],
  ['two steps', 'a0 a1 a2 b0 b1 c0', 'a0 a1 b0 b1'],
  ['one cell', 'a0', 'a0'],
  ['none', '', ''],
])('%s', (_, given, kept) => {
  expect(crossedCells(named(given))).toEqual(named(kept));
});

test('cells without settings stay', () => {
  expect(crossedCells([{ settings: {} }])).toHaveLength(1);
});
