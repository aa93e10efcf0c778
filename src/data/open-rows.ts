import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { NamedRow } from '../prompt/trace.ts';
import { detectFormat, unreadable } from './format/detect-format.ts';
import { countRowsOf, formats } from './format/formats.ts';
import { readHandle } from './format/read-chunks.ts';
import type { DataFormat, RowStream, SourceDescription, SourceFile } from './row-stream.ts';
import { hashFile } from './source/cache.ts';
import type { DataFile } from './source/data-file.ts';
import { findFiles, type SourceOptions } from './source/find-files.ts';

export interface OpenRowsOptions extends SourceOptions {
  /** Works out the hash of a file in its first whole pass, so that `describe` need not read it. */
  readonly hash?: boolean | undefined;
}

/**
 * Opens the rows of a source: a path, a pattern of paths, an `http(s)://` address, or
 * `hf://datasets/owner/name[@revision][/config/split or /path]`. JSONL, JSON, CSV and Parquet are
 * told apart by name or content. Several files are read one after the other, sorted by name.
 */
export async function openRows(source: string, options: OpenRowsOptions = {}): Promise<RowStream> {
  const found = await findFiles(source, options);
  const files: OpenedFile[] = [];
  for (const file of found) {
    // One file is mostly all there is, and is read soon; of many only the kind is wanted now.
    files.push(await OpenedFile.open(file, { ...options, keep: found.length === 1 }));
  }
  return new FileRows(files);
}

/** How long a file stays open that was looked at and is not read yet. */
const keptMs = 1000;

interface FileOptions extends Pick<OpenRowsOptions, 'hash'> {
  readonly keep: boolean;
}

/** A file whose format is known. The first pass takes over the handle that it was found out with. */
class OpenedFile implements DataFile {
  readonly path: string;
  readonly name: string;
  readonly revision: string | undefined;
  readonly format: DataFormat;
  sha256: string | undefined;
  readonly #hash: boolean;
  #handle: FileHandle | undefined;

  private constructor(file: DataFile, format: DataFormat, hash: boolean | undefined) {
    this.path = file.path;
    this.name = file.name;
    this.revision = file.revision;
    this.sha256 = file.sha256;
    this.format = format;
    this.#hash = hash ?? false;
  }

  static async open(file: DataFile, { hash, keep }: FileOptions): Promise<OpenedFile> {
    const handle = await open(file.path).catch((cause) => {
      throw unreadable(file, cause);
    });
    try {
      const opened = new OpenedFile(file, await detectFormat(file, handle), hash);
      if (keep && opened.format !== 'parquet') opened.#keep(handle);
      else await handle.close();
      return opened;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Rows that nobody reads soon are opened anew when somebody does. */
  #keep(handle: FileHandle): void {
    this.#handle = handle;
    setTimeout(() => this.close(), keptMs).unref();
  }

  async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    const handle = this.#handle ?? (await open(this.path));
    this.#handle = undefined;
    const hash = this.#hash && this.sha256 === undefined ? createHash('sha256') : undefined;
    for await (const chunk of readHandle(handle)) {
      if (this.sha256 === undefined) hash?.update(chunk);
      yield chunk;
    }
    this.sha256 ??= hash?.digest('hex');
  }

  async describe(): Promise<SourceFile> {
    const { name, format, revision } = this;
    const { size } = await stat(this.path);
    this.sha256 ??= await hashFile(this.path);
    const { sha256 } = this;
    return { name, format, bytes: size, sha256, ...(revision === undefined ? {} : { revision }) };
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
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
      for await (const rows of formats[file.format].read(file)) {
        if (rows.length === 0) continue;
        const batch = rows.map((row) => ({ id: id++, row }));
        this.#rowsRead = Math.max(this.#rowsRead, id);
        yield batch;
      }
    }
    this.#count ??= Promise.resolve(id);
  }

  count(): Promise<number> {
    this.#count ??= this.#countAll();
    return this.#count;
  }

  async #countAll(): Promise<number> {
    let total = 0;
    for (const file of this.#files) total += await countRowsOf(file.format, file);
    return total;
  }

  async describe(): Promise<SourceDescription> {
    const files: SourceFile[] = [];
    for (const file of this.#files) files.push(await file.describe());
    return { files, rowsRead: this.#rowsRead };
  }

  async close(): Promise<void> {
    for (const file of this.#files) await file.close();
  }
}
