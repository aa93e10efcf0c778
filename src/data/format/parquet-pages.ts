import type { AsyncBuffer, ColumnMetaData, RowGroup, SchemaTree } from 'hyparquet';
import type { parquetHeader } from 'hyparquet/src/column.js';

/** Headers are mostly far shorter, and may hold two values of the column. */
const headerBytes = [4096, 2 ** 24];

/**
 * Refuses columns that no schema has, and pages that claim more values than their column has, or
 * other bytes than those of their column: reading them would not end, or end the process.
 */
export async function checkPages(
  file: AsyncBuffer,
  { columns }: RowGroup,
  schema: SchemaTree,
): Promise<void> {
  for (const { meta_data } of columns) {
    if (!meta_data) throw new Error('a column has no metadata');
    requireColumn(schema, meta_data.path_in_schema);
  }
  for (const { meta_data } of columns) if (meta_data) await checkColumn(file, meta_data);
}

function requireColumn(schema: SchemaTree, path: readonly string[]): void {
  let place: SchemaTree | undefined = schema;
  for (const name of path) place = place?.children.find(({ element }) => element.name === name);
  if (!place || path.length === 0) throw new Error(`no column is called ${path.join('.')}`);
}

async function checkColumn(file: AsyncBuffer, column: ColumnMetaData): Promise<void> {
  const { data_page_offset, dictionary_page_offset, total_compressed_size } = column;
  let offset = Number(dictionary_page_offset || data_page_offset);
  const end = offset + Number(total_compressed_size);
  if (!(offset >= 0 && end <= file.byteLength))
    throw new Error('a column extends past the end of the file');
  let left = Number(column.num_values);
  // A single byte may be left over.
  while (offset < end - 1 && left > 0) {
    const page = await readHeader(file, offset, end);
    offset = page.end;
    if (offset > end) throw new Error('a page extends past the end of its column');
    left -= page.values;
    if (left < 0) throw new Error('pages have more values than their column');
  }
}

/** How many values a page says that it has, and where it ends. */
async function readHeader(
  file: AsyncBuffer,
  start: number,
  end: number,
): Promise<{ readonly values: number; readonly end: number }> {
  const { parquetHeader } = await import('hyparquet/src/column.js');
  for (const length of headerBytes) {
    const view = new DataView(await file.slice(start, Math.min(end, start + length)));
    const reader = { view, offset: 0 };
    try {
      const header = parquetHeader(reader);
      const { compressed_page_size: size, data_page_header, data_page_header_v2 } = header;
      const values = (data_page_header ?? data_page_header_v2)?.num_values ?? 0;
      const entries = header.dictionary_page_header?.num_values ?? 0;
      if (!(size >= 0 && values >= 0 && entries >= 0 && isSound(data_page_header_v2, size))) {
        throw new Error('a page has the wrong size');
      }
      // Every entry of a dictionary takes bytes, once they are no longer compressed.
      if (entries > header.uncompressed_page_size) throw new Error('a dictionary is too short');
      return { values, end: start + reader.offset + size };
    } catch (error) {
      if (start + length >= end || length === headerBytes.at(-1)) throw error;
    }
  }
  throw new Error('a page has no header');
}

type PageHeader = ReturnType<typeof parquetHeader>;

function isSound(header: PageHeader['data_page_header_v2'], size: number): boolean {
  if (!header) return true;
  const { num_values, num_nulls, num_rows } = header;
  const levels = [header.definition_levels_byte_length, header.repetition_levels_byte_length];
  return (
    num_nulls >= 0 &&
    num_nulls <= num_values &&
    num_rows >= 0 &&
    num_rows <= num_values &&
    levels.every((length) => length >= 0 && length <= size)
  );
}
