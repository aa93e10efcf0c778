import type { DatasetMetric, RowScore, Scored, ScorerMetrics } from '../scorer.ts';

/**
 * What the samples of a row add to measures of the whole dataset. The first samples of all rows are
 * one round, the second ones another; a row holds what it adds to each, one after the other.
 */
export function joinRounds(
  samples: readonly RowScore[],
): Pick<Scored, 'rounds' | 'cell' | 'counts'> {
  const scores = samples.map((sample) => (sample.type === 'scored' ? sample : undefined));
  const cells = scores.map((score) => score?.cell ?? null);
  const counts = scores.map((score) => score?.counts ?? []);
  const none: readonly number[] = Array(Math.max(0, ...counts.map(({ length }) => length))).fill(0);
  const hasCells = cells.some((cell) => cell !== null);
  if (!hasCells && none.length === 0) return {};
  return {
    rounds: samples.length,
    ...(hasCells && { cell: JSON.stringify(cells) }),
    ...(none.length > 0 && {
      counts: counts.flatMap((numbers) => (numbers.length > 0 ? numbers : none)),
    }),
  };
}

/**
 * The measure of rows of several samples: that of each round, averaged over the rounds.
 *
 * @example
 * const traits = { name: 'hits', direction: 'higher', range: [0, 9] } as const;
 * const measure = (sums: ArrayLike<number>) => sums[0] ?? 0;
 * const perRound = meanOfRounds({ type: 'sums', ...traits, measure }, 2);
 * perRound.type === 'sums' && perRound.measure([4, 6]); // 5
 */
export function meanOfRounds(metric: DatasetMetric, rounds: number): DatasetMetric {
  return metric.type === 'cells'
    ? { ...metric, measure: (cells: readonly string[]) => measureCells(metric, cells) }
    : { ...metric, measure: (sums: ArrayLike<number>) => measureSums(metric, { sums, rounds }) };
}

type CellMetric = Extract<DatasetMetric, { readonly type: 'cells' }>;
type SumMetric = Extract<DatasetMetric, { readonly type: 'sums' }>;

function measureCells(metric: CellMetric, joined: readonly string[]) {
  const rows = joined.map((cells): readonly (string | null)[] => JSON.parse(cells));
  const length = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  const rounds = Array.from({ length }, (_, round) =>
    roundOfCells(
      metric,
      rows.map((cells) => cells[round] ?? null),
    ),
  );
  return (counts: ArrayLike<number>) => meanOf(rounds.map((measure) => measure(counts)));
}

/** The measure of one round, which counts rows by the cells that they have in it. */
function roundOfCells(metric: CellMetric, cellOfRow: readonly (string | null)[]) {
  const cells = [...new Set(cellOfRow.filter((cell) => cell !== null))].sort();
  const indexOf = new Map(cells.map((cell, index) => [cell, index]));
  const indexes = cellOfRow.map((cell) => (cell === null ? undefined : indexOf.get(cell)));
  const measure = metric.measure(cells);
  return (counts: ArrayLike<number>) => {
    const totals = new Float64Array(cells.length);
    let rows = 0;
    for (const [row, index] of indexes.entries()) {
      if (index === undefined) continue;
      totals[index] = (totals[index] ?? 0) + (counts[row] ?? 0);
      rows += counts[row] ?? 0;
    }
    return rows === 0 ? Number.NaN : measure(totals);
  };
}

function measureSums(
  metric: SumMetric,
  { sums, rounds }: { readonly sums: ArrayLike<number>; readonly rounds: number },
): number {
  const all = Float64Array.from(sums);
  const size = all.length / rounds;
  const values = Array.from({ length: rounds }, (_, round) => {
    const own = all.subarray(round * size, (round + 1) * size);
    // Sums of nothing: no row has a score in this round.
    return own.some((sum) => sum !== 0) ? metric.measure(own) : Number.NaN;
  });
  return meanOf(values);
}

function meanOf(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The log record of a row, as far as measures of all rows are made of it. */
export interface CountedRow extends Pick<Scored, 'cell' | 'counts'> {
  readonly gold?: unknown;
  readonly isScored: boolean;
  readonly samples: readonly [asked: number, unscored: number];
}

interface FillOptions {
  /** Left out: rows and samples without a score are left out too. */
  readonly ofNothing?: ScorerMetrics['ofNothing'];
  /** How many samples of each row there are, if there are several. */
  readonly rounds: number | undefined;
}

/** Whether a row and all of its samples have a score. */
function isWhole({ isScored, samples: [, unscored] }: CountedRow): boolean {
  return isScored && unscored === 0;
}

/**
 * What a row counts as: its score, its cell of a table, or its numbers in JSON; those of a row or a
 * sample without a score as of an empty answer. Nothing if that cannot be said.
 */
export function cellOfRow(
  row: CountedRow & { readonly score: number },
  { type, ...options }: FillOptions & { readonly type: DatasetMetric['type'] | 'mean' },
): string | undefined {
  if (type === 'mean') return String(row.score);
  if (type === 'cells') return cellOf(row, options);
  const counts = countsOf(row, options);
  return counts && JSON.stringify(counts);
}

/** The cell of a row in a table. */
export function cellOf(row: CountedRow, { ofNothing, rounds }: FillOptions): string | undefined {
  if (isWhole(row) || (row.isScored && !ofNothing)) return row.cell;
  const nothing = ofNothing?.(row.gold)?.cell;
  if (nothing === undefined) return undefined;
  if (rounds === undefined) return nothing;
  const cells: readonly (string | null)[] =
    row.isScored && row.cell !== undefined ? JSON.parse(row.cell) : Array(rounds).fill(null);
  return JSON.stringify(cells.map((cell) => cell ?? nothing));
}

/** The numbers that a row adds to sums. */
export function countsOf(
  row: CountedRow,
  { ofNothing, rounds = 1 }: FillOptions,
): readonly number[] | undefined {
  if (isWhole(row) || (row.isScored && !ofNothing)) return row.counts;
  const nothing = ofNothing?.(row.gold)?.counts;
  if (nothing === undefined) return undefined;
  const { length } = nothing;
  const counts = row.isScored ? (row.counts ?? []) : [];
  const filled = Array.from({ length: rounds }, (_, round) => {
    const own = counts.slice(round * length, (round + 1) * length);
    return own.some((count) => count !== 0) ? own : nothing;
  });
  return filled.flat();
}
