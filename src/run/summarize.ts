import { bootstrapMean, wilson } from '../stats/index.ts';
import { readLog } from './append-log.ts';
import type { RowRecord } from './row-log.ts';
import type { Estimate, TaskResult } from './summary.ts';

/** Adds up the records of a task. Memory does not grow with rows whose score is 0 or 1. */
export class Tally {
  scored = 0;
  unscored = 0;
  failed = 0;
  inputTokens = 0;
  outputTokens = 0;
  #ones = 0;
  /** All scores, once one of them is neither 0 nor 1. */
  #scores: number[] | undefined;
  readonly #reasons = new Map<string, number>();

  add(record: RowRecord): void {
    this[record.outcome]++;
    if (record.outcome === 'scored') this.#addScore(record.score ?? 0);
    else this.#addReason(record.reason ?? 'no reason given');
    if (!record.tokens || record.from) return;
    this.inputTokens += record.tokens[0];
    this.outputTokens += record.tokens[1];
  }

  #addScore(score: number): void {
    if (!this.#scores && score !== 0 && score !== 1) {
      const ones = this.#ones;
      this.#scores = Array.from({ length: this.scored - 1 }, (_, index) => (index < ones ? 1 : 0));
    }
    if (this.#scores) this.#scores.push(score);
    else this.#ones += score;
  }

  #addReason(reason: string): void {
    // Messages of servers may differ in every row; beyond a point they are one kind.
    const known = this.#reasons.has(reason) || this.#reasons.size < 100;
    const name = known ? reason : 'other reasons';
    this.#reasons.set(name, (this.#reasons.get(name) ?? 0) + 1);
  }

  get reasons(): TaskResult['reasons'] {
    return [...this.#reasons]
      .map(([reason, rows]) => ({ reason, rows }))
      .sort((a, b) => b.rows - a.rows);
  }

  get score(): Estimate | undefined {
    if (this.scored === 0) return undefined;
    if (this.#scores) {
      const { value, low, high, level } = bootstrapMean(this.#scores, { seed: 0 });
      return { value, low, high, level, method: 'bootstrap' };
    }
    const { low, high, level } = wilson(this.#ones, this.scored);
    return { value: this.#ones / this.scored, low, high, level, method: 'wilson' };
  }
}

/** Reads a log through and adds up the records that count. */
export async function tallyLog(
  logFile: string,
  isCurrent: (id: number, offset: number) => boolean,
): Promise<Tally> {
  const tally = new Tally();
  for await (const records of readLog<RowRecord>(logFile)) {
    for (const { record, offset } of records) {
      if (isCurrent(Number(record.id), offset)) tally.add(record);
    }
  }
  return tally;
}
