import type { RowRecord } from '../../run/store/row-record.ts';

/** What people may look for in a record. */
export function searchedTexts(record: RowRecord): readonly unknown[] {
  const { answer, reasoning, extracted, gold, reason, detail, kind, label } = record;
  return [answer, reasoning, extracted, gold, reason, detail, kind, label];
}
