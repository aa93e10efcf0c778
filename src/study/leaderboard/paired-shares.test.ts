import { expect, test } from 'vitest';
import { meanOfCells } from '../../stats/measure-cells.ts';
import { pairedShares } from './paired-shares.ts';

const keys = Array.from({ length: 12 }, (_, row) => `row ${row}`);
const sideOf = (isRight: (row: number) => boolean, size?: number) => ({
  cells: new Map(keys.map((key, row) => [key, isRight(row) ? '1' : '0'])),
  measure: meanOfCells,
  ...(size && { clusters: new Map(keys.map((key, row) => [key, String(Math.floor(row / size))])) }),
});

test('rows in clusters add what their cluster does', () => {
  const right = sideOf(() => false);
  const rows = pairedShares(
    sideOf((row) => row < 6),
    right,
  );
  const clusters = pairedShares(
    sideOf((row) => row < 6, 3),
    right,
  );
  expect(clusters).toMatchObject({ value: rows?.value, pairs: 12 });
  expect(clusters?.shares.map(({ size, count }) => [size.toFixed(3), count])).toEqual([
    ['0.250', 1],
    ['0.250', 1],
    ['0.000', 1],
    ['0.000', 1],
  ]);
  const total = rows?.shares.reduce((sum, { size, count }) => sum + size * count, 0);
  expect(clusters?.shares.reduce((sum, { size }) => sum + size, 0)).toBeCloseTo(total ?? 0, 12);
});

test('clusters of one row each change nothing', () => {
  const [left, right] = [(row: number) => row % 3 === 0, (row: number) => row % 4 === 0];
  const plain = pairedShares(sideOf(left), sideOf(right));
  const single = pairedShares(sideOf(left, 1), sideOf(right));
  const squares = (found: typeof plain) =>
    found?.shares.reduce((sum, { size, count }) => sum + count * size ** 2, 0) ?? 0;
  expect(squares(single)).toBeCloseTo(squares(plain), 12);
});
