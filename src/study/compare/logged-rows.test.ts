import { expect, test } from 'vitest';
import type { RowRecord } from '../../run/store/row-record.ts';
import { LoggedRows } from './logged-rows.ts';

const base = { key: '', prompt: '', outcome: 'scored', score: 0.5 } as const;

test('a row without the measure that counts has no score, and says why', () => {
  const rows = new LoggedRows('pass_rate');
  const records: readonly RowRecord[] = [
    { ...base, id: 0, metrics: { pass_rate: 1 } },
    { ...base, id: 1, metrics: { other: 1 } },
    { ...base, id: 2, outcome: 'failed', reason: 'gone' },
  ];
  for (const record of records) rows.add(record, record.id);
  expect(rows.scoreOf(0)).toBe(1);
  expect(rows.troubleOf(0)).toBeUndefined();
  expect(rows.troubleOf(1)).toEqual({
    outcome: 'unscored',
    reason: 'the run recorded no `pass_rate` of it',
  });
  expect(rows.troubleOf(2)).toEqual({ outcome: 'failed', reason: 'gone' });
});
