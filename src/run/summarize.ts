import { type Estimate, ScoreTally } from '../stats/index.ts';
import { readLog } from './append-log.ts';
import type { RowRecord } from './row-log.ts';
import type { TaskResult } from './summary.ts';

/** Server messages may differ in every row; beyond this many they count as one kind. */
const distinctReasons = 100;

/** Adds up the records of a task, in memory that does not grow. */
export class Tally {
  scored = 0;
  unscored = 0;
  failed = 0;
  inputTokens = 0;
  outputTokens = 0;
  readonly #scores = new ScoreTally();
  readonly #reasons = new Map<string, number>();

  add(record: RowRecord): void {
    this[record.outcome]++;
    if (record.outcome === 'scored') this.#scores.add(record.score ?? 0);
    else this.#addReason(record.reason ?? 'no reason given');
    if (!record.tokens || record.from) return;
    this.inputTokens += record.tokens[0];
    this.outputTokens += record.tokens[1];
  }

  #addReason(reason: string): void {
    const known = this.#reasons.has(reason) || this.#reasons.size < distinctReasons;
    const name = known ? reason : 'other reasons';
    this.#reasons.set(name, (this.#reasons.get(name) ?? 0) + 1);
  }

  get reasons(): TaskResult['reasons'] {
    return [...this.#reasons]
      .map(([reason, rows]) => ({ reason, rows }))
      .sort((a, b) => b.rows - a.rows);
  }

  get score(): Estimate | undefined {
    return this.#scores.estimate({ seed: 0 });
  }
}

/** Adds the records of a log that stand before a place and count. */
export async function addRecords(
  tally: Tally,
  { logFile, end, isCurrent }: LogPart,
): Promise<void> {
  if (end === 0) return;
  for await (const records of readLog<RowRecord>(logFile)) {
    for (const { record, offset } of records) {
      if (offset >= end) return;
      if (isCurrent(Number(record.id), offset)) tally.add(record);
    }
  }
}

export interface LogPart {
  readonly logFile: string;
  readonly end: number;
  readonly isCurrent: (id: number, offset: number) => boolean;
}
