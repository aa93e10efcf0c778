import { readLog } from '../../run/append-log.ts';
import { RowIndex } from '../../run/row-index.ts';
import type { RowRecord } from '../../run/row-log.ts';

/** Where a log has the newest record of each row. The log itself is not touched. */
export async function indexLog(logFile: string): Promise<RowIndex> {
  const index = new RowIndex();
  for await (const records of readLog<RowRecord>(logFile)) {
    for (const { record, offset } of records) addToIndex(index, record, offset);
  }
  return index;
}

/** A row that failed counts as not answered. */
export function addToIndex(index: RowIndex, record: RowRecord, offset: number): void {
  const id = Number(record.id);
  if (record.outcome === 'failed') index.setFailed(id, offset);
  else index.set(id, record.key, offset);
}
