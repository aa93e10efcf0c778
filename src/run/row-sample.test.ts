import { expect, test } from 'vitest';
import { RowSample } from './row-sample.ts';
import type { RowRecord } from './store/row-record.ts';

const record = (id: number, score: number): RowRecord => ({
  id,
  key: String(id),
  prompt: '',
  outcome: 'scored',
  score,
});

function idsKept(ids: readonly number[], size: number): number[] {
  const sample = new RowSample({}, size);
  for (const id of ids) sample.offer(record(id, id % 2));
  return sample.rows.map((row) => row.record.id).sort((one, other) => one - other);
}

test('some rows of each verdict are kept: the same ones in whatever order they come', () => {
  const ids = Array.from({ length: 200 }, (_, id) => id);
  const kept = idsKept(ids, 5);
  expect(kept).toHaveLength(10);
  expect(kept.filter((id) => id % 2 === 1)).toHaveLength(5);
  expect(idsKept([...ids].reverse(), 5)).toEqual(kept);
  const shuffled = ids.map((id) => (id * 77) % 200);
  expect(idsKept(shuffled, 5)).toEqual(kept);
  // Of more rows to keep, the first are those of fewer.
  expect(idsKept(ids, 8)).toEqual(expect.arrayContaining(kept));
});

test('all rows count, whether they are kept or not', () => {
  const sample = new RowSample({}, 1);
  for (const score of [0, 0, 1, 0.5]) sample.offer(record(score * 10, score));
  sample.offer({ ...record(9, 0), outcome: 'failed' });
  expect(sample.totals).toEqual({
    failed: 1,
    unscored: 0,
    wrong: 2,
    partly: 1,
    scored: 0,
    right: 1,
  });
  expect(sample.rows.map(({ verdict }) => verdict)).toHaveLength(4);
});
