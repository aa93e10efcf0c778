import { isFileMissing } from '../../base/files.ts';
import { readBegun } from './begun-rows.ts';
import { type Positioned, readLines } from './log-file.ts';
import { recordOfLine } from './read-rows.ts';
import { RecordLookup } from './record-lookup.ts';
import { type RowFiles, RowPositions } from './row-places.ts';
import { isWaiting, type RowRecord } from './row-record.ts';

/** The record that counts for a row: by the index, without reading the log through, or the newest. */
export async function readRow(files: RowFiles, id: number): Promise<RowRecord | undefined> {
  const lookup = await openIndexed(files);
  if (!lookup) return (await readRowLines(files, id)).current;
  try {
    return await lookup.row(id);
  } finally {
    await lookup.close();
  }
}

/** An index counts once a run came to its end. */
async function openIndexed(files: RowFiles): Promise<RecordLookup | undefined> {
  if (await readBegun(files.indexFile)) return undefined;
  try {
    return await RecordLookup.open(files);
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

/** All that a log says of a row. */
export interface RowLines {
  /** The record that counts. */
  readonly current?: RowRecord | undefined;
  /** The lines of its parts, in the order in which they were asked. */
  readonly parts: readonly RowRecord[];
  /** What counts no more, oldest first. */
  readonly earlier: readonly RowRecord[];
}

/** Reads all lines of a row. The others are looked through, and not read as records. */
export async function readRowLines(files: RowFiles, id: number): Promise<RowLines> {
  const mark = `"id":${id},`;
  const lines: Positioned<RowRecord>[] = [];
  const found = readLines(files.logFile, ({ text = '' }) => {
    const record = text.includes(mark) ? recordOfLine(Buffer.from(text)) : undefined;
    return record?.id === id ? record : undefined;
  });
  for await (const batch of found) lines.push(...batch);
  const records = lines.map(({ record }) => record);
  const whole = records.filter(({ part }) => part === undefined);
  const lookup = await openIndexed(files);
  const counted = await lookup?.row(id).finally(() => lookup.close());
  const places = lookup ? undefined : await RowPositions.read(files);
  const current = lookup
    ? whole.findLast((record) => isSame(record, counted))
    : places
      ? lines.find(({ offset }) => offset === places.offsetOf(id))?.record
      : whole.at(-1);
  return arrangeLines(records, current);
}

/** The lines of a row, in the order of the log, around the one that counts. */
export function arrangeLines(
  records: readonly RowRecord[],
  current: RowRecord | undefined,
): RowLines {
  const parts = (current?.parts ?? []).flatMap(
    (key) => records.findLast((record) => record.part !== undefined && record.key === key) ?? [],
  );
  // The answer as it waited for its score says nothing that its row does not say.
  const waited = records.filter((record) => isWaiting(record) && record.key === current?.key);
  const taken = new Set<RowRecord | undefined>([current, ...parts, ...waited]);
  return { current, parts, earlier: records.filter((record) => !taken.has(record)) };
}

function isSame(record: RowRecord, other: RowRecord | undefined): boolean {
  return JSON.stringify(record) === JSON.stringify(other);
}
