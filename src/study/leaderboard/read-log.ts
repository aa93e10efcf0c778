import { MetricTally } from '../../run/metric-tally.ts';
import type { StoredRow, StoredRun } from '../../run/store/open-run.ts';
import { scoreOfAllSamples } from '../../run/store/row-record.ts';
import { boundsOf, dataHashes, datasetOf } from '../../run/store/run-file-parts.ts';
import type { TaskResult } from '../../run/summary.ts';
import { openClusters } from '../../run/tallies.ts';
import { type CountedRow, cellOfRow, meanOfRounds } from '../../score/repeats/rounds.ts';
import type { DatasetMetric, ScorerMetrics } from '../../score/scorer.ts';
import type { Measurement } from '../../stats/estimate.ts';
import { meanOfRows, measureCells, type RowMeasure } from '../../stats/measure-cells.ts';
import { type RowMarks, RowUnits } from '../../stats/row-units.ts';
import { type RecordedMeasure, recordedMeasure } from '../recorded-measure.ts';
import type { ScoredRows, TaskScore } from './task-score.ts';

/** A result that has a score. */
export type Scored = TaskResult & { readonly score: Measurement };

/** What the log of a run says of a score. */
export interface ReadLog
  extends Pick<
    TaskScore,
    | 'metric'
    | 'count'
    | 'unscored'
    | 'leavesOut'
    | 'rows'
    | 'shortened'
    | 'unnamed'
    | 'summarized'
    | 'possibleClusters'
  > {
  readonly score: Measurement;
  /** How many rows the log has. */
  readonly asked: number;
  readonly isUnchecked?: true;
}

/**
 * Works out the score of a run anew, from its log and by the metric that the run recorded, with rows
 * that have no score as wrong. Only where nothing says how to do that the summary is believed.
 */
export async function readLog(run: StoredRun, result: Scored): Promise<ReadLog> {
  const { model, dataset } = result;
  const { clusterBy } = datasetOf(run.file, dataset)?.readerCfg ?? {};
  const measure = await recordedMeasure(run, { model, dataset });
  const tally = new MetricTally(metricsOf(measure), await openClusters(clusterBy));
  const all: LoggedRow[] = [];
  let dropped = 0;
  let unnamed = 0;
  for await (const record of run.rows({ model, dataset })) {
    if (record.outcome === 'scored') tally.add(record);
    else tally.addWrong(record);
    if (record.dropped) dropped += 1;
    if (record.unnamed) unnamed += 1;
    all.push(loggedRow(record));
  }
  const { metric, score, allRows } = tally.result;
  const isSame = score !== undefined && isEqual(score.value, result.score.value);
  const unscored = all.filter(({ isScored }) => !isScored).length;
  const shared = {
    metric: measure.isGuessed ? result.metric : metric,
    unscored,
    asked: all.length,
    ...(dropped > 0 && { shortened: { rows: dropped, how: 'dropped' } as const }),
    ...(unnamed > 0 && { unnamed }),
    ...(result.possibleClusters && { possibleClusters: result.possibleClusters }),
  };
  if (measure.isUnknown || (measure.isGuessed && !isSame)) {
    return {
      ...{ ...shared, metric: result.metric, score: result.score, rows: undefined },
      count: all.length - unscored,
      isUnchecked: true,
      ...(unscored > 0 && { leavesOut: true }),
    };
  }
  const whole = metric === measure.whole?.name ? measure.whole : undefined;
  const counted = countRows(all, { whole, ofNothing: measure.ofNothing });
  const hasWrong = all.some(({ isScored, samples: [, without] }) => !isScored || without > 0);
  const rows = rowsOf(counted.rows, { run, dataset, measure: counted.measure, clusterBy });
  const isCopied = rows?.copies !== undefined;
  const ofRows = counted.leavesOut || !hasWrong ? score : allRows;
  const found =
    isCopied || !ofRows
      ? measureRows(
          counted,
          clusterBy !== undefined || isCopied ? unitsOf(counted.rows) : undefined,
        )
      : ofRows;
  return {
    ...shared,
    score: found ?? { value: 0, interval: 'too few' },
    rows,
    count: counted.rows.length,
    ...(counted.leavesOut && { leavesOut: true }),
    ...((!isSame || !isCounted(result, all)) && {
      summarized: { value: result.score.value, rows: rowsIn(result) },
    }),
  };
}

/** What stands for the scorer of a run. */
function metricsOf({ rows, whole, ofNothing }: RecordedMeasure): ScorerMetrics {
  const ofRows = { name: rows.name, direction: rows.direction, range: boundsOf(rows) };
  if (!whole) return { ...ofRows, metric: rows.name };
  const { name, direction, range } = whole;
  return {
    ...{ metric: name, direction, range, meanName: rows.name },
    datasetMetrics: [whole],
    ofNothing,
    traits: [ofRows],
  };
}

const rounding = 1e-9;

function isEqual(one: number, other: number): boolean {
  return Math.abs(one - other) <= rounding * Math.max(1, Math.abs(one));
}

function rowsIn({ rows: { total, missing } }: Scored): number {
  return total - missing;
}

/** Whether the summary counts the rows that the log has. */
function isCounted(result: Scored, all: readonly LoggedRow[]): boolean {
  const scored = all.filter(({ isScored }) => isScored).length;
  return result.rows.scored === scored && rowsIn(result) === all.length;
}

function loggedRow(record: StoredRow): LoggedRow {
  const { id, row, outcome, cell, counts, rounds, samples = [1, 0], gold, cluster } = record;
  return {
    ...{ id, row, cell, counts, rounds, samples, gold },
    score: scoreOfAllSamples(record),
    isScored: outcome === 'scored',
    cluster,
  };
}

interface LoggedRow extends CountedRow {
  readonly id: number;
  /** Hash of what the row holds. */
  readonly row: string | undefined;
  /** With samples that have none as wrong; 0 for a row without one. */
  readonly score: number;
  readonly rounds: number | undefined;
  readonly cluster: string | undefined;
}

interface NamedCell extends Pick<LoggedRow, 'id' | 'row' | 'cluster'> {
  readonly cell: string;
}

interface CountedRows {
  readonly rows: readonly NamedCell[];
  readonly measure: RowMeasure;
  /** Whether rows without a score are not among them. */
  readonly leavesOut: boolean;
}

interface Whole {
  readonly whole: DatasetMetric | undefined;
  readonly ofNothing: ScorerMetrics['ofNothing'];
}

/** What rows hold that counts, those without a score as wrong wherever that can be said of all of them. */
function countRows(all: readonly LoggedRow[], { whole, ofNothing }: Whole): CountedRows {
  const rounds = all.find((row) => row.rounds !== undefined)?.rounds;
  const measure = whole && (rounds === undefined ? whole : meanOfRounds(whole, rounds));
  const type = whole?.type ?? 'mean';
  const found = all.map((row) => ({ row, cell: cellOfRow(row, { type, ofNothing, rounds }) }));
  const leavesOut = found.some(({ cell }) => cell === undefined);
  const rows = found.flatMap(({ row, cell }): NamedCell[] => {
    const own = leavesOut ? cellOfRow(row, { type, rounds }) : cell;
    return own === undefined ? [] : [{ id: row.id, row: row.row, cluster: row.cluster, cell: own }];
  });
  return { rows, measure: measure ?? meanOfRows, leavesOut };
}

function measureRows(
  { rows, measure }: CountedRows,
  clusters: readonly string[] | undefined,
): Measurement | undefined {
  return measureCells(
    rows.map(({ cell }) => cell),
    { ...measure, clusters },
  );
}

/** What each row varies with: those of its cluster, and those that hold the same. */
function unitsOf(rows: readonly NamedCell[]): string[] {
  const units = new RowUnits();
  const marksOf = ({ row, id, cluster }: NamedCell): RowMarks => ({
    content: row ?? `#row ${id}`,
    cluster: cluster === undefined ? undefined : { by: '', value: cluster },
  });
  for (const row of rows) units.add(marksOf(row));
  return rows.map((row) => units.unitOf(marksOf(row)) ?? '');
}

interface RowsOptions {
  readonly run: StoredRun;
  readonly dataset: string;
  readonly measure: RowMeasure;
  readonly clusterBy: string | undefined;
}

/** Nothing if the log does not say what rows hold. */
function rowsOf(
  rows: readonly NamedCell[],
  { run, dataset, measure, clusterBy }: RowsOptions,
): ScoredRows | undefined {
  if (rows.length === 0 || rows.some(({ row }) => row === undefined)) return undefined;
  const named = nameRows(rows);
  const hashes = dataHashes(run.file, dataset);
  const mapOf = <Value>(read: (row: NamedCell, name: string) => Value | undefined) =>
    new Map(
      named.flatMap(([name, row]): [string, Value][] => {
        const value = read(row, name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const copies = mapOf(({ row }, name) => (row === name ? undefined : row));
  return {
    cells: mapOf(({ cell }) => cell),
    measure,
    ...(hashes.length > 0 && { places: mapOf(({ id }) => `${hashes.join()} ${id}`) }),
    ...(clusterBy !== undefined && {
      clusters: mapOf(({ cluster }) =>
        cluster === undefined ? undefined : { by: clusterBy, value: cluster },
      ),
    }),
    ...(copies.size > 0 && { copies }),
  };
}

/** Copies of a row are told apart by their order. */
function nameRows(rows: readonly NamedCell[]): [name: string, row: NamedCell][] {
  const copies = new Map<string, number>();
  return rows
    .toSorted((left, right) => left.id - right.id)
    .map((row) => {
      const name = row.row ?? '';
      const copy = copies.get(name) ?? 0;
      copies.set(name, copy + 1);
      return [copy === 0 ? name : `${name} ${copy}`, row];
    });
}
