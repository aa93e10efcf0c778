import { expect, test } from 'vitest';
import type { RowStream } from '../../data/row-stream.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { inOrder, onlyRows } from './change-rows.ts';

const rows: PositionedRow[] = [4, 6, 9].map((id, position) => ({
  id,
  position,
  row: { A: `${id}`, B: 'x', gold: 'A' },
}));
const stream: RowStream<PositionedRow> = {
  async *batches() {
    yield rows.slice(0, 2);
    yield rows.slice(2);
  },
  count: async () => rows.length,
  describe: async () => ({ files: [], rowsRead: rows.length }),
};
const evaluation = { rows: stream } as Evaluation;
const order = { name: 'moved 1', rotation: 1, textColumns: ['A', 'B'], goldColumn: 'gold' };

async function rowsOf(changed: Evaluation): Promise<PositionedRow[]> {
  const read: PositionedRow[] = [];
  for await (const batch of changed.rows.batches()) read.push(...batch);
  return read;
}

test('rows keep their ids and positions, whatever else changes', async () => {
  const changed = onlyRows(inOrder(evaluation, order), new Set([6, 9, 11]));
  expect(await rowsOf(changed)).toEqual([
    { id: 6, position: 1, row: { A: 'x', B: '6', gold: 'B' } },
    { id: 9, position: 2, row: { A: 'x', B: '9', gold: 'B' } },
  ]);
  expect(await changed.rows.count()).toBe(2);
  expect(await rowsOf(evaluation)).toEqual(rows);
});
