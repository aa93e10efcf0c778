import { DataError } from '../../errors.ts';
import type { RowId } from '../../prompt/origin.ts';
import type { NamedRow } from '../../prompt/trace.ts';
import { needsTotal, type RowRange, spanOf } from '../row-range.ts';
import { countRows, passOn, type RowStream } from '../row-stream.ts';
import { keepIds, keepRows, takeFirst, takeSpan } from './filter-batches.ts';
import { compileWhere } from './where.ts';

/** Which rows to keep: those that fit all of these, in the order of the range. */
export interface RowSelection {
  readonly range?: RowRange;
  readonly ids?: ReadonlySet<RowId>;
  /** A condition on the columns, such as `level >= 3`. */
  readonly where?: string;
  /** At most so many rows of what is left. */
  readonly limit?: number;
}

/**
 * Keeps some rows of a stream; they keep their ids. One forward pass with flat memory, after a
 * counting pass if the range depends on the number of rows; a reversed range holds what it keeps.
 */
export function selectRows<Named extends NamedRow>(
  stream: RowStream<Named>,
  selection: RowSelection,
): RowStream<Named> {
  const { range, limit } = selection;
  const where = selection.where === undefined ? undefined : compileWhere(selection.where);
  const rangeNeedsTotal = range !== undefined && needsTotal(range);
  // A bad range is an error now, not in the middle of a run.
  if (range !== undefined) spanOf(range, 1);
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0)) {
    throw new DataError('data.bad_limit', `The limit ${limit} is not a whole number of rows`, {
      hint: 'Use a whole number, 0 or more.',
    });
  }
  const batches = async function* (): AsyncGenerator<readonly Named[], void, undefined> {
    let rows = stream.batches();
    if (range !== undefined) {
      const total = rangeNeedsTotal ? await stream.count() : Number.POSITIVE_INFINITY;
      rows = takeSpan(rows, spanOf(range, total));
    }
    if (selection.ids) rows = keepIds(rows, selection.ids);
    if (where) rows = keepRows(rows, ({ row }) => where.matches(row));
    if (limit !== undefined) rows = takeFirst(rows, limit);
    yield* rows;
  };
  const isWhole = Object.values(selection).every((part) => part === undefined);
  const count = () => (isWhole ? stream.count() : countRows(batches()));
  return { ...passOn(stream), batches, count };
}
