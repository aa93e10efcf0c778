import { DataError } from '../../errors.ts';
import { taggedMedia } from '../../prompt/parts/turn-media.ts';
import { elementAt, type TurnsProgram } from '../../prompt/turns.ts';
import type { Row } from '../../prompt/values.ts';
import type { Query } from '../../retrieve/retriever.ts';

const noMedia: TurnsProgram['media'] = { parts: [], texts: [] };

/** How many turns a row has: the length of the lists that the round takes from. */
export function countTurns(
  { columns, media = noMedia }: Pick<TurnsProgram, 'columns'> & Partial<Pick<TurnsProgram, 'media'>>,
  { id, row }: Query,
): number {
  const placed = taggedMedia(row, media);
  const lists = columns.flatMap((column) => {
    if (placed.has(column)) return [];
    const value = row[column];
    return Array.isArray(value) ? [{ column, length: value.length }] : [];
  });
  const [first] = lists;
  if (!first || first.length === 0) {
    throw new DataError(
      'data.no_turns',
      `row ${id} has no turns: none of ${names(columns)} is a list with elements`,
      { hint: 'A multi-turn template takes one element of a list for each turn.' },
    );
  }
  const other = lists.find(({ length }) => length !== first.length);
  if (other) {
    throw new DataError(
      'data.uneven_turns',
      `row ${id} has ${first.length} elements in \`${first.column}\` and ${other.length} in \`${other.column}\``,
      { hint: 'The lists of a dialogue must have one element for each turn.' },
    );
  }
  return first.length;
}

/** The row as one turn sees it: of every list as long as the dialogue its own element. */
export function rowOfTurn(row: Row, turn: number, turns: number): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      Array.isArray(value) && value.length === turns ? elementAt(value, turn) : value,
    ]),
  );
}

function names(columns: readonly string[]): string {
  return columns.map((column) => `\`${column}\``).join(', ');
}
