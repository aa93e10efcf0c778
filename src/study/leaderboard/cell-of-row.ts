import type { DatasetMetric, ScorerMetrics } from '../../score/scorer.ts';

/** What the log says of a row, as far as scores are made of it. */
export interface LoggedRow {
  readonly id: number;
  /** Hash of what the row holds. */
  readonly row: string | undefined;
  readonly isScored: boolean;
  /** With samples that have none as wrong; 0 for a row without one. */
  readonly score: number;
  readonly cell: string | undefined;
  readonly counts: readonly number[] | undefined;
  readonly rounds: number | undefined;
  readonly samples: readonly [asked: number, unscored: number];
  readonly gold: unknown;
  readonly cluster: string;
}

interface CellOptions {
  readonly type: DatasetMetric['type'] | 'mean';
  /** Left out: rows and samples without a score are left out too. */
  readonly ofNothing?: ScorerMetrics['ofNothing'];
  /** How many samples of each row there are, if there are several. */
  readonly rounds: number | undefined;
}

/**
 * What a row counts as: its score, its cell of a table, or its numbers in JSON; those of a row or a
 * sample without a score as of an empty answer. Nothing if that cannot be said.
 */
export function cellOfRow(row: LoggedRow, options: CellOptions): string | undefined {
  if (options.type === 'mean') return String(row.score);
  return options.type === 'cells' ? tableCell(row, options) : sumCell(row, options);
}

function tableCell(row: LoggedRow, { ofNothing, rounds }: CellOptions): string | undefined {
  const isWhole = row.isScored && (row.samples[1] === 0 || !ofNothing);
  if (isWhole) return row.cell;
  const nothing = ofNothing?.(row.gold)?.cell;
  if (nothing === undefined) return undefined;
  if (rounds === undefined) return nothing;
  const cells: readonly (string | null)[] =
    row.isScored && row.cell !== undefined ? JSON.parse(row.cell) : Array(rounds).fill(null);
  return JSON.stringify(cells.map((cell) => cell ?? nothing));
}

function sumCell(row: LoggedRow, { ofNothing, rounds = 1 }: CellOptions): string | undefined {
  const isWhole = row.isScored && (row.samples[1] === 0 || !ofNothing);
  if (isWhole) return row.counts && JSON.stringify(row.counts);
  const nothing = ofNothing?.(row.gold)?.counts;
  if (nothing === undefined) return undefined;
  const { length } = nothing;
  const counts = row.isScored ? (row.counts ?? []) : [];
  const filled = Array.from({ length: rounds }, (_, round) => {
    const own = counts.slice(round * length, (round + 1) * length);
    return own.some((count) => count !== 0) ? own : nothing;
  });
  return JSON.stringify(filled.flat());
}
