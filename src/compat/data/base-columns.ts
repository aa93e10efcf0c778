import type { NamedRow } from '../../prompt/trace.ts';
import type { Row } from '../../prompt/values.ts';
import type { Compat } from '../compat.ts';

/** What the originals know of a dataset when they give its rows two columns more. */
export interface BaseColumnsOf {
  readonly compat: Compat;
  readonly abbr: string;
  /** Left out where the dataset is one list of rows, of which OpenCompass names no split. */
  readonly split?: string | undefined;
}

export const baseColumns = ['subdivision', 'idx'] as const;

/**
 * A row with the columns that both systems add behind its own. OpenCompass numbers rows before the
 * range is taken, AISBench those that it left.
 */
export function withBaseColumns<Named extends NamedRow>(
  named: Named,
  position: number,
  { compat, abbr, split }: BaseColumnsOf,
): Named {
  const idx = compat === 'opencompass' && typeof named.id === 'number' ? named.id : position;
  const subdivision = split === undefined ? abbr : `${abbr}_${split}`;
  const row: Row = { ...named.row, subdivision, idx };
  return { ...named, row };
}
