import { type FileHandle, open } from 'node:fs/promises';
import type { AsyncBuffer, FileMetaData, SchemaTree } from 'hyparquet';
import { DataError } from '../../errors.ts';
import type { Row } from '../../prompt/values.ts';
import { maxBatchRows } from '../row-stream.ts';
import type { DataFile } from '../source/data-file.ts';
import { parquetMagic } from './detect-format.ts';
import { checkPages } from './parquet-pages.ts';
import { parquetParsers, readParquetValue } from './parquet-values.ts';

/** Reads a Parquet file, one row group at a time. */
export async function* readParquet(
  file: DataFile,
): AsyncGenerator<readonly Row[], void, undefined> {
  const [{ parquetRead }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ]);
  const handle = await open(file.path);
  try {
    const { buffer, metadata, schema } = await readMetadata(handle, file);
    const columns = schema.children;
    let rowStart = 0;
    for (const [index, group] of metadata.row_groups.entries()) {
      const rowEnd = rowStart + Number(group.num_rows);
      let records: unknown[][] = [];
      try {
        await checkPages(buffer, group, schema);
        await parquetRead({
          file: buffer,
          metadata,
          compressors,
          parsers: parquetParsers,
          utf8: false,
          rowStart,
          rowEnd,
          onComplete: (found) => {
            records = found;
          },
        });
      } catch (cause) {
        throw badParquet(`row group ${index + 1} cannot be read`, { file, cause });
      }
      for (let start = 0; start < records.length; start += maxBatchRows) {
        yield records.slice(start, start + maxBatchRows).map((record) => makeRow(record, columns));
      }
      rowStart = rowEnd;
    }
  } finally {
    await handle.close();
  }
}

function makeRow(record: readonly unknown[], columns: readonly SchemaTree[]): Row {
  return Object.fromEntries(
    columns.map((column, index) => [column.element.name, readParquetValue(record[index], column)]),
  );
}

/** The number of rows, which the file says itself. */
export async function countParquetRows(file: DataFile): Promise<number> {
  const handle = await open(file.path);
  try {
    const { metadata } = await readMetadata(handle, file);
    return Number(metadata.num_rows);
  } finally {
    await handle.close();
  }
}

interface OpenedParquet {
  readonly buffer: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly schema: SchemaTree;
}

async function readMetadata(handle: FileHandle, file: DataFile): Promise<OpenedParquet> {
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  const { size } = await handle.stat();
  const buffer: AsyncBuffer = {
    byteLength: size,
    slice: (start, end = size) => readSlice(handle, { start, end }),
  };
  const magicBytes = parquetMagic.length;
  const head = Buffer.from(await buffer.slice(0, magicBytes));
  const tail = Buffer.from(await buffer.slice(Math.max(0, size - magicBytes), size));
  if (!head.equals(parquetMagic)) throw badParquet('this is not a Parquet file', { file });
  if (!tail.equals(parquetMagic)) throw badParquet('the end of the file is missing', { file });
  try {
    const metadata = await parquetMetadataAsync(buffer);
    return { buffer, metadata, schema: parquetSchema(metadata) };
  } catch (cause) {
    throw badParquet('the footer cannot be read', { file, cause });
  }
}

async function readSlice(
  handle: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(end - start);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
  return bytes.buffer.slice(0, bytesRead);
}

function badParquet(
  problem: string,
  { file, cause }: { readonly file: DataFile; readonly cause?: unknown },
): DataError {
  return new DataError('data.bad_parquet', `${file.name}: ${problem}`, {
    hint: 'Was the file copied or downloaded completely, and is it Parquet?',
    cause,
  });
}
