import type { DatasetConfig } from '../../config/config.ts';
import type { RowStream } from '../../data/row-stream.ts';
import { DataError } from '../../errors.ts';
import { nearestName } from '../../nearest-name.ts';

/** A column that rows may have or not. */
const limitColumn = 'max_out_len';

/** Refuses columns of `reader_cfg` that no row has. Mostly the first batch has them all. */
export async function checkColumns(rows: RowStream, dataset: DatasetConfig): Promise<void> {
  const { inputColumns, outputColumn } = dataset.readerCfg;
  const missing = new Set([...inputColumns, ...(outputColumn === undefined ? [] : [outputColumn])]);
  missing.delete(limitColumn);
  const seen = new Set<string>();
  for await (const batch of rows.batches()) {
    for (const { row } of batch) for (const column of Object.keys(row)) seen.add(column);
    for (const column of seen) missing.delete(column);
    if (missing.size === 0) return;
  }
  const [column] = missing;
  // No rows at all is another error.
  if (column === undefined || seen.size === 0) return;
  const near = nearestName(column, seen);
  throw new DataError(
    'data.unknown_column',
    `No row of the data set \`${dataset.abbr}\` has a column \`${column}\``,
    {
      path: [...dataset.source, 'reader_cfg'],
      hint: `${near ? `Did you mean \`${near}\`? ` : ''}Columns: ${[...seen].join(', ')}.`,
    },
  );
}
