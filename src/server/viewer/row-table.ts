import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { failedChecksOf, RowColumns } from '../../report/snapshot/row-columns.ts';
import { type Verdict, verdictOf, verdicts } from '../../run/row-sample.ts';
import { Column } from '../../run/store/column.ts';
import { readRows } from '../../run/store/read-rows.ts';
import { type ScoreRange, scoreFault } from '../../run/store/record-fault.ts';
import { ProblemList } from '../../run/store/record-problem.ts';
import { type RowFiles, RowPositions } from '../../run/store/row-places.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import type { MetricKind } from '../../run/summary.ts';
import { turn } from './background.ts';

export interface TableSource extends RowFiles {
  readonly kind: MetricKind;
  readonly range?: ScoreRange | undefined;
  /** Whether a run is writing to it: what it will take over of earlier ones is not settled. */
  readonly isLive?: boolean | undefined;
}

/** Server messages may differ in every row; beyond this many they count as one. */
const maxReasons = 1000;
const otherReasons = 'other reasons';
/** The same of checks that rows did not pass: so many combinations of them are told apart. */
const maxCheckSets = 60_000;
const otherChecks = 'other checks';
const nothing = -1;

/**
 * What a list of rows needs to know of a log: how each row ended and where its record stands, in flat
 * columns of about 50 bytes a row. It is read in the background, and can be asked while it is.
 */
export class RowTable {
  readonly columns = new RowColumns();
  /** Why rows have no score, each once. */
  readonly reasons: string[] = [];
  /** Which checks rows did not pass, each combination once. */
  readonly failedChecks: (readonly string[])[] = [];
  readonly problems = new ProblemList();
  readonly counts: Record<Verdict, number>;
  readonly #source: TableSource;
  readonly #slots = new Column((length) => new Uint32Array(length));
  readonly #reasonNumbers = new Map<string, number>();
  readonly #checkNumbers = new Map<string, number>();
  /** Lines that are not what counts of a row: its parts, and what counts no more. */
  readonly #extra = { ids: [] as number[], offsets: [] as number[] };
  #places: RowPositions | undefined;
  #end = 0;
  #line = 1;
  #size = 0;
  #reading: Promise<void> | undefined;
  #isDone = false;
  #error: unknown;
  #isClosed = false;

  constructor(source: TableSource) {
    this.#source = source;
    this.counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as typeof this.counts;
  }

  get logFile(): string {
    return this.#source.logFile;
  }

  /** Whether all of the log, as it was when it was last looked at, was read. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether a run is writing to the log. */
  get isLive(): boolean {
    return this.#source.isLive === true;
  }

  /** Share of the log that was read. */
  get progress(): number {
    if (this.#isDone) return 1;
    return this.#size === 0 ? 0 : Math.min(0.999, this.#end / this.#size);
  }

  get size(): number {
    return this.columns.length;
  }

  /** The place of a row in the columns; -1 if there is no such row. */
  slotOf(id: number): number {
    return this.#slots.get(id) - 1;
  }

  /** Where the lines of a row start, in the order of the log. */
  offsetsOf(id: number): number[] {
    const slot = this.slotOf(id);
    const found = slot < 0 ? [] : [this.columns.offsets[slot] ?? 0];
    for (let index = 0; index < this.#extra.ids.length; index++) {
      if (this.#extra.ids[index] === id) found.push(this.#extra.offsets[index] ?? 0);
    }
    return found.sort((left, right) => left - right);
  }

  /** Reads what the log holds now, if it was not read yet. */
  read(): void {
    this.#reading ??= this.#readOn().finally(() => {
      this.#reading = undefined;
    });
  }

  /** Waits until all is read, but not longer than so many milliseconds. */
  async wait(ms: number): Promise<void> {
    if (this.#reading) await Promise.race([this.#reading, sleep(ms)]);
    if (this.#error) throw this.#error;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #readOn(): Promise<void> {
    try {
      this.#size = (await stat(this.#source.logFile)).size;
      if (this.#end === 0) {
        const { isLive, indexFile } = this.#source;
        this.#places = await (isLive
          ? RowPositions.ofIndex(indexFile)
          : RowPositions.read(this.#source));
      }
      const rows = readRows(this.#source.logFile, {
        from: { offset: this.#end, line: this.#line },
        onProblem: (problem) => this.problems.add(problem),
      });
      let next = await rows.next();
      for (; !next.done && !this.#isClosed; next = await rows.next()) {
        for (const { record, offset, line } of next.value) {
          this.#take(record, offset);
          this.#line = line + 1;
          this.#end = offset;
        }
        await turn();
      }
      if (next.done) this.#end = next.value;
      if (this.#places) this.#dropOutdated(this.#places);
      this.#isDone = true;
    } catch (error) {
      this.#error = error;
    }
  }

  #take(record: RowRecord, offset: number): void {
    const { id, part } = record;
    const place = this.#places?.offsetOf(id);
    const isOther = part !== undefined || (this.#places !== undefined && place === undefined);
    const known = this.slotOf(id);
    // Of a run that came to its end the index says which line counts, of another it is the last.
    const before = known < 0 ? nothing : (this.columns.offsets[known] ?? 0);
    if (isOther || (known >= 0 && before === place)) this.#addExtra(id, offset);
    else if (scoreFault(record, this.#source.range) === undefined) {
      if (known >= 0) {
        this.#addExtra(id, before);
        this.#count(known, nothing);
      }
      const slot = known < 0 ? this.columns.add() : known;
      const [verdict, score] = [this.columns.verdicts[slot], this.columns.scores[slot]];
      this.#slots.set(id, slot + 1);
      this.#write(slot, record, offset);
      const { verdicts: ends, scores } = this.columns;
      const isSame = ends[slot] === verdict && Object.is(scores[slot], score);
      if (known >= 0 && !isSame) this.columns.markChanged(slot);
    }
  }

  #addExtra(id: number, offset: number): void {
    this.#extra.ids.push(id);
    this.#extra.offsets.push(offset);
  }

  #count(slot: number, by: 1 | -1): void {
    const verdict = verdicts[this.columns.verdicts[slot] ?? 0];
    if (verdict) this.counts[verdict] += by;
  }

  #write(slot: number, record: RowRecord, offset: number): void {
    const { columns } = this;
    columns.set(slot, record, {
      offset,
      verdict: verdicts.indexOf(verdictOf(record, this.#source.kind)),
      reason: record.reason === undefined ? 0 : this.#reasonNumber(record.reason) + 1,
      checks: this.#checksNumber(record) + 1,
    });
    this.#count(slot, 1);
  }

  #reasonNumber(reason: string): number {
    const isNew = !this.#reasonNumbers.has(reason);
    const name = isNew && this.reasons.length >= maxReasons ? otherReasons : reason;
    const known = this.#reasonNumbers.get(name);
    if (known !== undefined) return known;
    this.#reasonNumbers.set(name, this.reasons.length);
    return this.reasons.push(name) - 1;
  }

  #checksNumber(record: RowRecord): number {
    const own = failedChecksOf(record);
    if (own.length === 0) return nothing;
    const isNew = !this.#checkNumbers.has(JSON.stringify(own));
    const names = isNew && this.failedChecks.length >= maxCheckSets ? [otherChecks] : own;
    const key = JSON.stringify(names);
    const known = this.#checkNumbers.get(key);
    if (known !== undefined) return known;
    this.#checkNumbers.set(key, this.failedChecks.length);
    return this.failedChecks.push(names) - 1;
  }

  /** A row whose line was damaged has none that counts, even if an older one can be read. */
  #dropOutdated(places: RowPositions): void {
    const damaged = new Set(this.problems.items.map(({ offset }) => offset));
    if (damaged.size === 0) return;
    for (const id of places.ids()) {
      const slot = this.slotOf(id);
      if (slot < 0 || !damaged.has(places.offsetOf(id) ?? nothing)) continue;
      this.#count(slot, nothing);
      this.columns.hide(slot);
      this.#slots.set(id, 0);
    }
  }
}
