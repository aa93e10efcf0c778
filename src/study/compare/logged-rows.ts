import { textHash } from '../../evaluation/key.ts';
import { clusterOfRecord } from '../../run/cluster-of.ts';
import { Column } from '../../run/store/column.ts';
import { readCurrentRows } from '../../run/store/current-rows.ts';
import { IdSet } from '../../run/store/id-set.ts';
import type { ScoreRange } from '../../run/store/record-fault.ts';
import { ProblemList } from '../../run/store/record-problem.ts';
import type { RowFiles } from '../../run/store/row-places.ts';
import { type RowRecord, scoreOfAllSamples } from '../../run/store/row-record.ts';
import type { AnswerWay } from './comparison.ts';

/** Server messages may differ in every row; beyond this many they count as one kind. */
const distinctReasons = 100;

export interface Trouble {
  readonly outcome: string;
  readonly reason: string;
}

/**
 * What a log says of its rows, in flat columns of about 60 bytes a row. Of places and hashes they
 * hold one more: zero means nothing.
 */
export class LoggedRows {
  readonly #scores = new Column((length) => new Float64Array(length));
  /** Of rows with samples that have no score. */
  readonly #scoresOfAll = new Map<number, number>();
  readonly #contents = new Column((length) => new Float64Array(length));
  readonly #prompts = new Column((length) => new Float64Array(length));
  readonly #histories = new Map<number, string>();
  readonly #requests = new Column((length) => new Float64Array(length));
  readonly #golds = new Column((length) => new Float64Array(length));
  readonly #examples = new Column((length) => new Float64Array(length));
  readonly #cut = new IdSet();
  readonly #unnamed = new IdSet();
  /** Rows with checks: those that pass all of them, and the others. */
  readonly #passing = new IdSet();
  readonly #failing = new IdSet();
  /** How the answers of rows came about that are not in parts. */
  readonly #ways = new Set<AnswerWay>();
  #namesExamples = false;
  readonly #offsets = new Column((length) => new Float64Array(length));
  readonly #troubleNumbers = new Column((length) => new Uint32Array(length));
  readonly #troubles: Trouble[] = [];
  /** Numbers of clusters plus one. */
  readonly #clusters = new Column((length) => new Uint32Array(length));
  readonly #clusterNumbers = new Map<string, number>();
  readonly #clusterNames: string[] = [];
  readonly #cells = new Column((length) => new Uint32Array(length));
  readonly #cellNames = new Map<string, number>();
  readonly #counts = new Map<number, RowCounts>();
  #rounds: number | undefined;
  /** What the log holds that is no record. */
  readonly problems = new ProblemList();
  readonly #measure: string | undefined;

  /** With a measure, rows have what they come to by that in place of their score. */
  constructor(measure?: string) {
    this.#measure = measure;
  }

  /** A record with the score that counts; one without the measure has none. */
  measured(record: RowRecord): RowRecord {
    const measure = this.#measure;
    if (measure === undefined || record.outcome !== 'scored') return record;
    const { score: _, ...rest } = record;
    const score = record.metrics?.[measure];
    return score === undefined
      ? { ...rest, outcome: 'unscored', reason: `the run recorded no \`${measure}\` of it` }
      : { ...rest, score };
  }

  add(written: RowRecord, offset: number): void {
    const record = this.measured(written);
    const { id } = record;
    const isScored = record.outcome === 'scored';
    this.#offsets.set(id, offset + 1);
    this.#scores.set(id, isScored ? (record.score ?? 0) : 0);
    this.#scoresOfAll.delete(id);
    if (isScored && record.samples && record.samples[1] > 0)
      this.#scoresOfAll.set(id, scoreOfAllSamples(record));
    this.#contents.set(id, shortHash(record.row));
    this.#prompts.set(id, shortHash(record.prompt));
    const { key, parts, history } = record;
    if (history === undefined) this.#histories.delete(id);
    else this.#histories.set(id, history);
    this.#requests.set(id, shortHash(parts ? textHash(parts.join()) : key));
    if (record.gold !== undefined)
      this.#golds.set(id, shortHash(textHash(JSON.stringify(record.gold))));
    this.#addExamples(record);
    if (record.cluster !== undefined) this.#clusters.set(id, this.#clusterNumber(record.cluster));
    if (isScored) this.#addContribution(id, record);
    if (record.unnamed) this.#unnamed.add(id);
    if (record.checks) {
      const passes = isScored && record.checks.every(({ passed }) => passed);
      (passes ? this.#passing : this.#failing).add(id);
    }
    if (record.outcome !== 'failed' && !record.parts)
      this.#ways.add(record.loglikelihoods ? 'loglikelihood' : 'answer');
    this.#troubleNumbers.set(id, isScored ? 0 : this.#troubleNumber(record));
  }

  #addExamples({ id, examples, dropped }: RowRecord): void {
    if (dropped) this.#cut.add(id);
    if (!examples) return;
    this.#namesExamples = true;
    this.#examples.set(id, shortHash(textHash(JSON.stringify(examples))));
  }

  #clusterNumber(name: string): number {
    const known = this.#clusterNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.#clusterNames.push(name);
    this.#clusterNumbers.set(name, number);
    return number;
  }

  #addContribution(id: number, { cell, counts, rounds }: RowRecord): void {
    this.#rounds ??= rounds;
    if (cell !== undefined) {
      const number = this.#cellNames.get(cell) ?? this.#cellNames.size;
      this.#cellNames.set(cell, number);
      this.#cells.set(id, number);
    }
    if (!counts) return;
    const known = this.#counts.get(counts.length) ?? emptyCounts();
    this.#counts.set(counts.length, known);
    known.rows += 1;
    for (const [place, count] of counts.entries()) {
      known.column.set(id * counts.length + place, count);
    }
  }

  ids(): Generator<number> {
    return this.#offsets.indexes();
  }

  has(id: number): boolean {
    return this.#offsets.get(id) !== 0;
  }

  isScored(id: number): boolean {
    return this.has(id) && this.#troubleNumbers.get(id) === 0;
  }

  scoreOf(id: number): number {
    return this.#scores.get(id);
  }

  /** The same with samples that have no score as wrong ones. */
  scoreOfAll(id: number): number {
    return this.#scoresOfAll.get(id) ?? this.scoreOf(id);
  }

  /** Whether a row has samples without a score. */
  lacksSamples(id: number): boolean {
    return this.#scoresOfAll.has(id);
  }

  /** What stands for the content of a row; nothing if the log does not say. */
  contentOf(id: number): number | undefined {
    return this.#contents.get(id) || undefined;
  }

  /** The rows that a row belongs with, as records name them. */
  clusterOf(id: number): string {
    const cluster = this.#clusterNames[this.#clusters.get(id) - 1];
    return clusterOfRecord({ id, cluster });
  }

  /** The cells of a table that rows stand in, by number. */
  get cellNames(): readonly string[] {
    return [...this.#cellNames.keys()];
  }

  cellOf(id: number): number {
    return this.#cells.get(id);
  }

  /** Whether rows say what they add to measures of all of them. */
  get hasContributions(): boolean {
    return this.#cellNames.size + this.#counts.size > 0;
  }

  /** How many samples of each row there are in its cell or its numbers; nothing for plain ones. */
  get rounds(): number | undefined {
    return this.#rounds;
  }

  /** How many numbers each row adds to a measure of all rows. */
  get countLength(): number {
    const lengths = [...this.#counts].sort(([, one], [, other]) => other.rows - one.rows);
    return lengths[0]?.[0] ?? 0;
  }

  /** What a row adds at a place of so many; zero for a row that adds another number of them. */
  countOf(id: number, { place, length }: { readonly place: number; readonly length: number }) {
    return this.#counts.get(length)?.column.get(id * length + place) ?? 0;
  }

  /**
   * Whether a row was asked what a row of another log was. The hash of texts whose likelihood is
   * asked for tells where answers begin in them as well; the keys of requests do not.
   */
  isAskedAs(id: number, other: LoggedRows, otherId: number): boolean {
    if (this.#prompts.get(id) === other.#prompts.get(otherId)) return true;
    const requests = this.#requests.get(id);
    return requests !== 0 && requests === other.#requests.get(otherId);
  }

  /** Whether a dialogue followed other answers than that of another log; older logs do not say. */
  hasOtherHistory(id: number, other: LoggedRows, otherId: number): boolean {
    const [own, theirs] = [this.#histories.get(id), other.#histories.get(otherId)];
    return own !== undefined && theirs !== undefined && own !== theirs;
  }

  /** Whether anything could be asked about a row. */
  isAsked(id: number): boolean {
    return this.#prompts.get(id) !== 0;
  }

  /** What stands for the gold answer of a row; zero if it has none. */
  goldOf(id: number): number {
    return this.#golds.get(id);
  }

  /** Whether the log says which examples rows were shown. */
  get namesExamples(): boolean {
    return this.#namesExamples;
  }

  /** What stands for the examples of a row; zero if it has none. */
  examplesOf(id: number): number {
    return this.#examples.get(id);
  }

  /** Whether a row had to do without examples. */
  isCut(id: number): boolean {
    return this.#cut.has(id);
  }

  /** Whether the answer of a row names no choice, and the first one was taken. */
  isUnnamed(id: number): boolean {
    return this.#unnamed.has(id);
  }

  /** Whether a row passes all of its checks; nothing where it has none. */
  passes(id: number): boolean | undefined {
    return this.#passing.has(id) || (this.#failing.has(id) ? false : undefined);
  }

  /** How answers came about; nothing where the log does not say, or has both. */
  get way(): AnswerWay | undefined {
    const [way, other] = this.#ways;
    return other === undefined ? way : undefined;
  }

  /** How a row ended that has no score, and why. */
  troubleOf(id: number): Trouble | undefined {
    return this.#troubles[this.#troubleNumbers.get(id) - 1];
  }

  /** Where the record of a row starts in the log. */
  offsetOf(id: number): number {
    return this.#offsets.get(id) - 1;
  }

  #troubleNumber({ outcome, kind, reason: said = 'no reason given' }: RowRecord): number {
    const reason = kind ?? said;
    const known = this.#findTrouble(outcome, reason);
    if (known > 0) return known;
    if (this.#troubles.length < distinctReasons) return this.#troubles.push({ outcome, reason });
    const others = { outcome, reason: 'other reasons' };
    return this.#findTrouble(outcome, others.reason) || this.#troubles.push(others);
  }

  #findTrouble(outcome: string, reason: string): number {
    return this.#troubles.findIndex((one) => one.outcome === outcome && one.reason === reason) + 1;
  }
}

/** 48 bits of a hash, plus one; zero if there is none. */
function shortHash(hash: string | undefined): number {
  const number = hash === undefined ? Number.NaN : Number.parseInt(hash.slice(0, 12), 16);
  return Number.isNaN(number) ? 0 : number + 1;
}

/** What rows add that add equally many numbers. */
interface RowCounts {
  readonly column: Column<Float64Array>;
  rows: number;
}

function emptyCounts(): RowCounts {
  return { column: new Column((length) => new Float64Array(length)), rows: 0 };
}

/** Reads the rows that count: those of the last run, or all of a run that did not come to its end. */
export async function readLoggedRows(
  files: RowFiles,
  range: ScoreRange | undefined,
  measure?: string,
): Promise<LoggedRows> {
  const rows = new LoggedRows(measure);
  for await (const batch of readCurrentRows(files, { range, problems: rows.problems })) {
    for (const { record, offset } of batch) rows.add(record, offset);
  }
  return rows;
}
