import type { ConfigPath } from '../errors.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import { formatValue, type Row } from '../prompt/values.ts';

/** What an example gives away of a row: the row itself, or its question with an answer. */
export type Leak = 'same_row' | 'same_question';

/**
 * Finds out whether an example gives a row's answer away. Questions are the same if all of `columns`
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
  if (columns.some((column) => differPlainly(query.row[column], shot.row[column])))
    return undefined;
  if (columns.length > 0 && askedIn(query.row, columns) !== shownIn(shot.row, columns)) {
    return undefined;
  }
  if (contentText(query.row) === contentText(shot.row)) return 'same_row';
  return columns.length > 0 ? 'same_question' : undefined;
}

/** A text that equal rows share, whatever the order of their columns. */
export function contentText(row: Row): string {
  const columns = Object.keys(row).sort();
  return formatValue(columns.map((column) => [column, row[column]]));
}

/**
 * Whether texts have an ASCII character in one place that they do not share, white space and case
 * aside: most do near their beginning, and need not be normalized as a whole.
 */
function differPlainly(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  let at = skipSpaces(one, 0);
  let there = skipSpaces(other, 0);
  for (;;) {
    const left = plainUnit(one, at);
    const right = plainUnit(other, there);
    if (left === undefined || right === undefined) return false;
    if (left !== right) return true;
    at = left === space ? skipSpaces(one, at) : at + 1;
    there = right === space ? skipSpaces(other, there) : there + 1;
  }
}

const space = 0x20;
const asciiEnd = 0x80;
const [upperA, upperZ] = [0x41, 0x5a];

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(unit: number): boolean {
  return unit === space || (unit >= 0x09 && unit <= 0x0d);
}

/** A code unit as it is compared; none at the end, and where what follows may change it. */
function plainUnit(text: string, at: number): number | undefined {
  const unit = text.charCodeAt(at);
  if (!(unit < asciiEnd) || text.charCodeAt(at + 1) >= asciiEnd) return undefined;
  if (isSpace(unit)) return text.length === skipSpaces(text, at) ? undefined : space;
  return unit >= upperA && unit <= upperZ ? unit + space : unit;
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
 * // 'example 0 is this row itself, including its answer'
 */
export function leakDiagnostics(
  { id, row, own = row }: NamedRow & Pick<PositionedRow, 'own'>,
  shots: readonly NamedRow[],
  { columns, path }: LeakLocation,
): Diagnostic[] {
  const hint = 'Exclude such rows from the pool with `where`, `train_range` or a train split.';
  return shots.flatMap((shot): Diagnostic[] => {
    switch (findLeak({ id, row: own }, shot, columns)) {
      case 'same_row': {
        const message = `example ${shot.id} is this row itself, including its answer`;
        return [{ code: 'retrieve.leak_same_row', message, hint, path }];
      }
      case 'same_question': {
        const message = `example ${shot.id} has the same question as this row, and its answer`;
        return [{ code: 'retrieve.leak_same_question', message, hint, path }];
      }
      default:
        return [];
    }
  });
}
