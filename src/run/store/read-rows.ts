import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { type LogStart, type Positioned, readLineAt, readLines } from './log-file.ts';
import { toCurrentRecord } from './old-record.ts';
import { recordFault } from './record-fault.ts';
import type { RecordProblem } from './record-problem.ts';
import type { RowRecord } from './row-record.ts';

interface ReadRowsOptions {
  readonly onProblem?: ((problem: RecordProblem) => void) | undefined;
  /** Where to begin; left out: at the start of the log. */
  readonly from?: LogStart | undefined;
}

/**
 * Reads the records of a row log, a batch at a time. This is the one way to read such a log: what is
 * no record is named and left out. Its last value is where the last whole line ends.
 */
export async function* readRows(
  logFile: string,
  { onProblem, from }: ReadRowsOptions = {},
): AsyncGenerator<Positioned<RowRecord>[], number> {
  const complain = (place: LinePosition, reason: string) =>
    onProblem?.(recordProblem(logFile, place, reason));
  const parse = (line: LinePosition & { readonly text: string | undefined }) => {
    const record = parseRecord(line.text);
    if (typeof record !== 'string') return record;
    complain(line, record);
    return undefined;
  };
  const { end, torn } = yield* readLines(logFile, parse, from);
  if (torn) complain(torn, 'the line has no end');
  return end;
}

type LinePosition = Pick<RecordProblem, 'line' | 'offset'>;

export function recordProblem(
  file: string,
  { line, offset }: LinePosition,
  reason: string,
): RecordProblem {
  return { code: 'run.bad_record', file, line, offset, reason };
}

/** The record that starts at a place; nothing if there is none. */
export async function readRowAt(
  handle: FileHandle,
  offset: number,
): Promise<RowRecord | undefined> {
  const line = await readLineAt(handle, offset);
  return line && recordOfLine(line);
}

/** The record of a line; nothing if it is none. */
export function recordOfLine(line: Buffer): RowRecord | undefined {
  const record = parseRecord(isUtf8(line) ? line.toString() : undefined);
  return typeof record === 'string' ? undefined : record;
}

/** The record, or why there is none. */
function parseRecord(text: string | undefined): RowRecord | string {
  if (text === undefined) return 'not UTF-8';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not JSON';
  }
  return recordFault(value) ?? toCurrentRecord(value as RowRecord);
}
