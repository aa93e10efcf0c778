import { formatValue, type Row } from '../prompt/values.ts';
import { checkColumns } from './pool.ts';
import type { RetrieverContext, RetrieverSettings } from './retriever.ts';

/** The text by which a row is compared with others: its columns, joined by spaces. */
export type RowText = (row: Row) => string;

export function rowText(
  { columns: named }: Pick<RetrieverSettings, 'columns'>,
  { inputColumns, outputColumn, pool, path }: RetrieverContext,
): RowText {
  const columns = named ?? inputColumns;
  checkColumns(columns, pool, named ? [...path, 'columns'] : path);
  return (row) => {
    const used =
      columns.length > 0 ? columns : Object.keys(row).filter((column) => column !== outputColumn);
    const values = used.map((column) => row[column] ?? '');
    return values.map(formatValue).join(' ');
  };
}
