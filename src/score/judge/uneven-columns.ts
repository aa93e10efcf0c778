import { countOf } from '../../base/format.ts';
import { DataError } from '../../errors.ts';
import type { ScoreInput } from '../scorer.ts';

interface JudgedColumns {
  /** Those that a judge is shown of a turn. */
  readonly columns: readonly string[];
  /** The one that lists the answer of somebody else to each turn. */
  readonly against?: string | undefined;
}

/** Refuses lists whose elements are not those of the turns: a judge would be shown another turn's, or all of them. */
export function refuseUneven(
  { dialogue }: Pick<ScoreInput, 'dialogue'>,
  { columns, against }: JudgedColumns,
): void {
  if (!dialogue?.whole) return;
  const { row, turns } = dialogue.whole;
  const told = against === undefined ? columns : [against, ...columns];
  for (const column of told) {
    const value = row[column];
    if (Array.isArray(value) && value.length !== turns) {
      const found = countOf(value.length, 'element');
      throw uneven(`\`${column}\` has ${found}, and the dialogue ${countOf(turns, 'turn')}`);
    }
  }
  const rival = against === undefined ? undefined : row[against];
  if (turns < 2 || Array.isArray(rival) || rival === undefined || rival === null) return;
  throw uneven(`\`${against}\` is not a list, and the dialogue has ${turns} turns`);
}

function uneven(message: string): DataError {
  return new DataError('data.uneven_turns', message, {
    hint: 'Columns shown to a judge must be lists with one element per turn, or not lists.',
  });
}
