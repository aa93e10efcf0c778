import { Column } from './column.ts';
import { readRows, recordProblem } from './read-rows.ts';
import { type ScoreRange, scoreFault } from './record-fault.ts';
import { ProblemList } from './record-problem.ts';
import { RowIndex } from './row-index.ts';
import { type RowFiles, RowPositions } from './row-places.ts';
import type { RowRecord } from './row-record.ts';

/** Where the records of a log stand. */
export interface IndexedLog {
  readonly index: RowIndex;
  /** Where the last whole line ends. */
  readonly end: number;
  /** The rows that the last run took; left out if it did not come to its end. */
  readonly places: RowPositions | undefined;
  /** Damaged lines, unless all rows are there without them. */
  readonly problems: ProblemList;
  /**
   * Gives up the record of a row if its score is out of range, and names it. To be asked only of
   * records of the scorer that the range is of: those of another may have any score.
   */
  readonly rejects: (id: number) => boolean;
  /** Whether a row has loglikelihoods without what the model said, as earlier versions kept them. */
  readonly lacksLogprobs: (id: number) => boolean;
}

/**
 * Reads where the records of a log stand. A row whose newest record is damaged has none that
 * counts: an older one may answer another question.
 */
export async function readRowIndex(
  { logFile, indexFile }: RowFiles,
  range?: ScoreRange,
): Promise<IndexedLog> {
  const index = new RowIndex();
  const places = await RowPositions.read({ logFile, indexFile });
  const found = new ProblemList();
  const damaged = new Set<number>();
  /** The line of the newest record of each row, if its score is out of range. */
  const outOfRange = new Column((length) => new Uint32Array(length));
  const withoutLogprobs = new Column((length) => new Uint32Array(length));
  const records = readRows(logFile, {
    onProblem(problem) {
      found.add(problem);
      damaged.add(problem.offset);
    },
  });
  let next = await records.next();
  for (; !next.done; next = await records.next()) {
    for (const { record, offset, line } of next.value) {
      addToIndex(index, record, offset);
      if (record.loglikelihoods) withoutLogprobs.set(record.id, record.logprobs ? 0 : 1);
      const isOut = record.part === undefined && scoreFault(record, range) !== undefined;
      if (isOut || outOfRange.get(record.id) !== 0) outOfRange.set(record.id, isOut ? line : 0);
    }
  }
  if (places && damaged.size > 0) {
    for (const id of places.ids()) if (damaged.has(places.offsetOf(id) ?? -1)) index.forget(id);
  }
  const problems = places && isWhole(index, places) ? new ProblemList() : found;
  const rejects = (id: number) => {
    const offset = index.offsetOf(id);
    const line = outOfRange.get(id);
    if (line === 0 || offset === undefined) return false;
    const [lowest, highest] = range ?? [];
    const reason = `its score is not within ${lowest} and ${highest}`;
    problems.add(recordProblem(logFile, { line, offset }, reason));
    index.discard(id);
    return true;
  };
  const lacksLogprobs = (id: number) => withoutLogprobs.get(id) === 1;
  return { index, end: next.value, places, problems, rejects, lacksLogprobs };
}

/** Whether all rows that the last run took are there. */
function isWhole(index: RowIndex, places: RowPositions): boolean {
  for (const id of places.ids()) if (index.offsetOf(id) === undefined) return false;
  return true;
}

/** Notes the newest record of a row. A row that failed counts as not answered. */
export function addToIndex(index: RowIndex, record: RowRecord, offset: number): void {
  const { id, key, outcome, scoring, part, kind } = record;
  if (part !== undefined) {
    if (outcome !== 'failed') index.setPart(key, offset);
  } else if (outcome === 'failed') index.setFailed(id, key, { offset, kind });
  else index.set(id, key, offset, scoring);
}
