import type { ConfigPath } from '../errors.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { NamedRow } from '../prompt/trace.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import { contentKey } from './pool.ts';

/** What an example gives away of a row: the row itself, or its question with an answer. */
export type Leak = 'same_row' | 'same_question';

/**
 * Tells whether an example gives a row's answer away. Questions are the same if all of `columns`
 * are, but for white space and case.
 *
 * @example
 * const row = { id: 0, row: { q: '1+1?', a: '2' } };
 * findLeak(row, { id: 7, row: { q: ' 1+1?', a: 'two' } }, ['q']); // 'same_question'
 */
export function findLeak(
  query: NamedRow,
  shot: NamedRow,
  columns: readonly string[],
): Leak | undefined {
  if (query.row === shot.row) return 'same_row';
  if (columns.length > 0 && askedIn(query.row, columns) !== shownIn(shot.row, columns)) {
    return undefined;
  }
  if (contentKey(query.row) === contentKey(shot.row)) return 'same_row';
  return columns.length > 0 ? 'same_question' : undefined;
}

/** Of the row that was asked about last: it is held against one example after the other. */
let latest:
  | { readonly row: Row; readonly columns: readonly string[]; readonly question: string }
  | undefined;

function askedIn(row: Row, columns: readonly string[]): string {
  if (latest?.row !== row || latest.columns !== columns)
    latest = { row, columns, question: questionOf(row, columns) };
  return latest.question;
}

/** Examples are seen again with row after row: their questions are worked out once. */
const questions = new WeakMap<readonly string[], WeakMap<Row, string>>();

function shownIn(row: Row, columns: readonly string[]): string {
  let known = questions.get(columns);
  if (!known) {
    known = new WeakMap();
    questions.set(columns, known);
  }
  let question = known.get(row);
  if (question === undefined) {
    question = questionOf(row, columns);
    known.set(row, question);
  }
  return question;
}

function questionOf(row: Row, columns: readonly string[]): string {
  return formatValue(columns.map((column) => plainText(formatValue(row[column]))));
}

function plainText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

interface LeakLocation {
  /** The columns that a question is made of. */
  readonly columns: readonly string[];
  readonly path: ConfigPath;
}

/**
 * Diagnostics of the examples that give a row's answer away.
 *
 * @example
 * const row = { id: 0, row: { q: '1+1?', a: '2' } };
 * leakDiagnostics(row, [row], { columns: ['q'], path: ['retriever'] })[0]?.message;
 * // 'example 0 is this row itself, with its answer'
 */
export function leakDiagnostics(
  query: NamedRow,
  shots: readonly NamedRow[],
  { columns, path }: LeakLocation,
): Diagnostic[] {
  const hint = 'Keep such rows out of the pool with `where`, `train_range` or a train split.';
  return shots.flatMap((shot): Diagnostic[] => {
    switch (findLeak(query, shot, columns)) {
      case 'same_row': {
        const message = `example ${shot.id} is this row itself, with its answer`;
        return [{ code: 'retrieve.leak_same_row', message, hint, path }];
      }
      case 'same_question': {
        const message = `example ${shot.id} asks the question of this row, and answers it`;
        return [{ code: 'retrieve.leak_same_question', message, hint, path }];
      }
      default:
        return [];
    }
  });
}
