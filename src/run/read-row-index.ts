import { readLog } from './append-log.ts';
import { RowIndex } from './row-index.ts';
import type { RowRecord } from './row-log.ts';

/** Reads where the records of a log stand, and where its last whole line ends. */
export async function readRowIndex(
  logFile: string,
): Promise<{ readonly index: RowIndex; readonly end: number }> {
  const index = new RowIndex();
  const records = readLog<Partial<RowRecord>>(logFile);
  let next = await records.next();
  for (; !next.done; next = await records.next()) {
    for (const { record, offset } of next.value) addToIndex(index, record, offset);
  }
  return { index, end: next.value };
}

/** A damaged line may name any row. */
const highestId = 2 ** 31;

/** Notes the newest record of a row. A row that failed counts as not answered. */
export function addToIndex(index: RowIndex, record: Partial<RowRecord>, offset: number): void {
  const { key, outcome, scoring, part } = record;
  const id = Number(record.id);
  if (!(id >= 0 && id <= highestId) || typeof key !== 'string') return;
  if (part !== undefined) {
    if (outcome !== 'failed') index.setPart(key, offset);
  } else if (outcome === 'failed') index.setFailed(id, offset);
  else index.set(id, key, offset, scoring);
}
