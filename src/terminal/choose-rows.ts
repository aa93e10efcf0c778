import { UsageError } from '../base/usage-error.ts';
import { sliceRows } from '../data/row-range.ts';

interface ChosenRows {
  readonly row?: readonly number[] | undefined;
  readonly rows?: string | undefined;
  /** Whether the rows may have other numbers in the data, by which `--id` names them. */
  readonly isRange?: boolean | undefined;
}

/** The rows that the options ask for, by their position among the test rows. */
export function chosenRows(
  rowCount: number,
  { row, rows, isRange = false }: ChosenRows,
): readonly number[] {
  if (rowCount === 0) {
    throw new UsageError('view.no_rows', 'The dataset has no rows', {
      hint: 'Check `test_range`, and that the file of the test split is not empty.',
    });
  }
  if (rows !== undefined) return chosenRange(rowCount, { rows, isRange });
  const wanted = row ?? [0];
  const missing = wanted.find((index) => index >= rowCount);
  if (missing === undefined) return wanted;
  throw noSuchRow(String(missing), rowCount, isRange);
}

function chosenRange(
  rowCount: number,
  { rows: range, isRange }: { readonly rows: string; readonly isRange: boolean },
): readonly number[] {
  const all = Array.from({ length: rowCount }, (_, index) => index);
  const kept = sliceRows(all, `[${range}]`);
  if (kept.length > 0) return kept;
  throw noSuchRow(range, rowCount, isRange);
}

function noSuchRow(row: string, rowCount: number, isRange: boolean): UsageError {
  const message = `No row ${row}: the dataset has ${rowCount} row${rowCount === 1 ? '' : 's'}`;
  return new UsageError('view.no_such_row', message, {
    hint: `${rowCount === 1 ? 'Its only row is 0.' : `Rows go from 0 to ${rowCount - 1}.`}${
      isRange ? ' They are counted after `test_range`; `--id` takes their numbers in the data.' : ''
    }`,
  });
}
