import { stat } from 'node:fs/promises';
import type { NamedRow } from '../prompt/index.ts';
import { readCsv } from './format/csv.ts';
import { detectFormat } from './format/detect-format.ts';
import { countJsonLines, readJsonLines } from './format/json-lines.ts';
import { readJsonList } from './format/json-list.ts';
import { countParquetRows, readParquet } from './format/parquet.ts';
import {
  countRows,
  type DataFormat,
  type RowStream,
  type SourceDescription,
  type SourceFile,
} from './row-stream.ts';
import { hashFile } from './source/cache.ts';
import type { DataFile } from './source/data-file.ts';
import { findFiles, type SourceOptions } from './source/find-files.ts';

interface OpenedFile extends DataFile {
  readonly format: DataFormat;
}

/**
 * Opens the rows of a source: a path, a pattern of paths, an `http(s)://` address, or
 * `hf://datasets/owner/name[@revision][/config/split or /path]`. JSONL, JSON, CSV and Parquet are
 * told apart by name or content. Several files are read one after the other, sorted by name.
 */
export async function openRows(source: string, options: SourceOptions = {}): Promise<RowStream> {
  const files: OpenedFile[] = [];
  for (const file of await findFiles(source, options)) {
    files.push({ ...file, format: await detectFormat(file) });
  }
  return new FileRows(files);
}

class FileRows implements RowStream {
  readonly #files: readonly OpenedFile[];
  #rowsRead = 0;
  #count: Promise<number> | undefined;

  constructor(files: readonly OpenedFile[]) {
    this.#files = files;
  }

  async *batches(): AsyncGenerator<readonly NamedRow[], void, undefined> {
    let id = 0;
    for (const file of this.#files) {
      for await (const rows of readers[file.format](file)) {
        if (rows.length === 0) continue;
        const batch = rows.map((row) => ({ id: id++, row }));
        this.#rowsRead = Math.max(this.#rowsRead, id);
        yield batch;
      }
    }
  }

  count(): Promise<number> {
    this.#count ??= this.#countAll();
    return this.#count;
  }

  async #countAll(): Promise<number> {
    let total = 0;
    for (const file of this.#files) total += await counters[file.format](file);
    return total;
  }

  async describe(): Promise<SourceDescription> {
    const files: SourceFile[] = [];
    for (const file of this.#files) files.push(await describeFile(file));
    return { files, rowsRead: this.#rowsRead };
  }
}

const readers = {
  jsonl: readJsonLines,
  json: readJsonList,
  csv: readCsv,
  parquet: readParquet,
};

const counters = {
  jsonl: countJsonLines,
  json: (file: DataFile) => countRows(readJsonList(file)),
  csv: (file: DataFile) => countRows(readCsv(file)),
  parquet: countParquetRows,
};

async function describeFile(file: OpenedFile): Promise<SourceFile> {
  const { name, format, revision } = file;
  const { size } = await stat(file.path);
  const sha256 = file.sha256 ?? (await hashFile(file.path));
  return { name, format, bytes: size, sha256, ...(revision === undefined ? {} : { revision }) };
}
