import { expect, test } from 'vitest';
import type { RowRecord } from '../../run/store/row-record.ts';
import { LoggedRows } from '../compare/logged-rows.ts';
import { pairCells } from './pair-cells.ts';

type Row = number | 'unscored' | 'failed' | undefined;

function cellOf(abbr: string, rows: readonly Row[], content: string | ((id: number) => string)) {
  const logged = new LoggedRows();
  for (const [id, row] of rows.entries()) {
    if (row === undefined) continue;
    const isScore = typeof row === 'number';
    const record: RowRecord = {
      ...{ id, key: 'k', prompt: 'abc', outcome: isScore ? 'scored' : row },
      ...(isScore && { score: row }),
      row: typeof content === 'string' ? content : content(id),
    };
    logged.add(record, id);
  }
  const [template = '', shots] = abbr.split(' ');
  const settings = { template, ...(shots !== undefined && { shots }) };
  return { cell: { dataset: 'd', abbr, settings, entry: {}, from: { entry: 0 } }, rows: logged };
}

const kind = { metric: 'accuracy' };

test('rows count that every cell answered; what has no score is wrong', () => {
  const cells = [
    cellOf('a', [1, 'unscored', 'failed', 1, 0, 1], 'aa'),
    cellOf('b', [0, 1, 1, undefined, 1, 1], 'aa'),
  ];
  const { ids, cells: paired, remarks } = pairCells(cells, kind);
  expect(ids).toEqual([0, 1, 4, 5]);
  expect(paired.map(({ scores }) => [...scores])).toEqual([
    [1, 0, 0, 1],
    [0, 1, 1, 1],
  ]);
  expect(remarks).toEqual([
    '2 rows left out: not answered in every cell.',
    '1 answer without a score counted as wrong.',
  ]);
});

test('where less is better a row without a score is left out', () => {
  const cells = [cellOf('a', [3, 'unscored'], 'aa'), cellOf('b', [2, 1], 'aa')];
  expect(pairCells(cells, { ...kind, direction: 'lower', plain: true }).ids).toEqual([0]);
});

test('rows that hold something else do not pair', () => {
  const cells = [cellOf('a', [1, 1], 'aa'), cellOf('b', [1, 1], (id) => (id === 0 ? 'aa' : 'bb'))];
  expect(pairCells(cells, kind).ids).toEqual([0]);
});

test('a cell without any answer does not take the others down', () => {
  const cells = [cellOf('a', [1, 0], 'aa'), cellOf('b', ['failed', 'failed'], 'aa')];
  const { ids, cells: paired, remarks } = pairCells(cells, kind);
  expect([ids, paired.map(({ abbr }) => abbr)]).toEqual([[0, 1], ['a']]);
  expect(remarks).toEqual(['Without answers and left out: b.']);
});

test('a template that lacks a cell is not compared by the others', () => {
  const abbrs = ['a 0', 'a 1', 'b 0', 'b 1', 'c 0'];
  const cells = [
    ...abbrs.map((abbr) => cellOf(abbr, [1, 0], 'aa')),
    cellOf('c 1', ['failed', undefined], 'aa'),
  ];
  const { cells: paired, remarks } = pairCells(cells, kind);
  expect(paired.map(({ abbr }) => abbr)).toEqual(abbrs.slice(0, 4));
  expect(remarks).toEqual([
    'Without answers and left out: c 1.',
    'Also left out, so that the others form all combinations: c 0.',
  ]);
});

test('of many cells without answers some are named', () => {
  const cells = Array.from({ length: 8 }, (_, place) => cellOf(`t${place}`, ['failed'], 'aa'));
  expect(pairCells([...cells, cellOf('a', [1], 'aa')], kind).remarks).toEqual([
    'Without answers and left out: t0, t1, t2, t3, t4 and 3 more.',
  ]);
});

test('no answers at all', () => {
  expect(pairCells([cellOf('a', ['failed'], 'aa')], kind)).toMatchObject({ ids: [], cells: [] });
});
