import { Column } from './column.ts';
import { IdSet } from './id-set.ts';
import type { Positioned } from './log-file.ts';
import { readRows, recordProblem } from './read-rows.ts';
import { type ScoreRange, scoreFault } from './record-fault.ts';
import { ProblemList } from './record-problem.ts';
import { type RowFiles, RowPositions } from './row-places.ts';
import type { RowRecord } from './row-record.ts';

interface CurrentRowsOptions {
  /** The scores that rows can have; left out: any number. */
  readonly range?: ScoreRange | undefined;
  /** Takes damaged lines, unless all rows are there without them. */
  readonly problems: ProblemList;
}

type Batches = AsyncGenerator<readonly Positioned<RowRecord>[]>;

/**
 * Reads the record that counts of each row, in the order of the log: the newest of the rows that the
 * last run took, or of all rows if it did not come to its end.
 */
export async function* readCurrentRows(
  { logFile, indexFile }: RowFiles,
  { range, problems }: CurrentRowsOptions,
): Batches {
  const places = await RowPositions.read({ logFile, indexFile });
  const chosen = places
    ? readLocated(logFile, { places, problems })
    : readNewest(logFile, { problems, isWanted: () => true });
  for await (const batch of chosen) {
    yield batch.filter((placed) => {
      const fault = scoreFault(placed.record, range);
      if (fault !== undefined) problems.add(recordProblem(logFile, placed, fault));
      return fault === undefined;
    });
  }
}

interface LocatedOptions {
  readonly places: RowPositions;
  readonly problems: ProblemList;
}

/** Reads the records that the index points to. */
async function* readLocated(logFile: string, { places, problems }: LocatedOptions): Batches {
  const damaged = new Set<number>();
  const all = new ProblemList();
  const records = readRows(logFile, {
    onProblem(problem) {
      all.add(problem);
      damaged.add(problem.offset);
    },
  });
  const isInPlace = ({ record, offset }: Positioned<RowRecord>) =>
    places.offsetOf(record.id) === offset && record.part === undefined;
  let found = 0;
  for await (const batch of records) {
    const current = batch.filter(isInPlace);
    found += current.length;
    yield current;
  }
  if (found === places.size) return;
  problems.addAll(all);
  const inPlace = new IdSet();
  for await (const batch of readRows(logFile)) {
    for (const placed of batch) if (isInPlace(placed)) inPlace.add(placed.record.id);
  }
  // A log that was changed by hand has records elsewhere than the index says.
  const isMoved = (id: number) => {
    const place = places.offsetOf(id);
    return place !== undefined && !damaged.has(place) && !inPlace.has(id);
  };
  yield* readNewest(logFile, { isWanted: isMoved });
}

interface NewestOptions {
  readonly isWanted: (id: number) => boolean;
  readonly problems?: ProblemList;
}

/** Reads the newest record of each row that is wanted. */
async function* readNewest(logFile: string, { isWanted, problems }: NewestOptions): Batches {
  const offsets = new Column((length) => new Float64Array(length));
  for await (const batch of readRows(logFile, { onProblem: (one) => problems?.add(one) })) {
    for (const { record, offset } of batch) {
      if (record.part === undefined && isWanted(record.id)) offsets.set(record.id, offset + 1);
    }
  }
  for await (const batch of readRows(logFile)) {
    yield batch.filter(
      ({ record, offset }) => record.part === undefined && offsets.get(record.id) === offset + 1,
    );
  }
}
