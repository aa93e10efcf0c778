import type { DatasetMetric, ScorerMetrics } from '../score/scorer.ts';
import type { RowRecord } from './store/row-record.ts';

/** What the log says of a row, as far as measures of all rows are made of it. */
export interface CountedRow extends Pick<RowRecord, 'cell' | 'counts' | 'gold'> {
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
export function isWhole({ isScored, samples: [, unscored] }: CountedRow): boolean {
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
