import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { DataError, RunError } from '../errors.ts';
import type { NamedRow } from '../prompt/trace.ts';
import { detectFormat, unreadable } from './format/detect-format.ts';
import { formats } from './format/formats.ts';
import { readHandle, readOpened } from './format/read-chunks.ts';
import {
  countRows,
  type DataFormat,
  type ReadOptions,
  type RowStream,
  type SourceDescription,
  type SourceFile,
} from './row-stream.ts';
import { hashFile } from './source/cache.ts';
import type { DataFile } from './source/data-file.ts';
import { findFiles, type SourceOptions } from './source/find-files.ts';

export interface OpenRowsOptions extends SourceOptions, ReadOptions {
  /** Works out the hash of a file in its first whole pass, so that `describe` need not read it. */
  readonly hash?: boolean | undefined;
}

/**
 * Opens the rows of a source: a path, a pattern of paths, an `http(s)://` address, or
 * `hf://datasets/owner/name[@revision][/config/split or /path]`. JSONL, JSON, CSV, TSV and Parquet
 * are told apart by name or content. Several files are read one after the other, sorted by name.
 */
export async function openRows(source: string, options: OpenRowsOptions = {}): Promise<RowStream> {
  const found = await findFiles(source, options);
  const files: OpenedFile[] = [];
  for (const file of found) {
    // One file is mostly all there is, and is read soon; of many only the kind is wanted now.
    const opened = await OpenedFile.open(file, { ...options, keep: found.length === 1 });
    files.push(opened);
    if (options.columns && !formats[opened.format].takesColumns) {
      await opened.close();
      throw columnsNotTaken(opened);
    }
  }
  return new FileRows(files, options);
}

/** How long a file stays open that was looked at and is not read yet. */
const keptMs = 1000;
/** Times of files are coarse: one that was touched more recently may change without them telling. */
const settledNs = 1_000_000_000n;

interface FileOptions extends Pick<OpenRowsOptions, 'hash'> {
  readonly keep: boolean;
}

/**
 * A file whose format is known. The first pass takes over the handle that it was found out with.
 * All passes read the same bytes, or end with an error.
 */
class OpenedFile implements DataFile {
  readonly path: string;
  readonly name: string;
  readonly revision: string | undefined;
  readonly format: DataFormat;
  sha256: string | undefined;
  readonly #state: FileState;
  readonly #hash: boolean;
  readonly #isSettled: boolean;
  readonly #keeps: boolean;
  #handle: FileHandle | undefined;

  private constructor(
    file: DataFile,
    {
      format,
      state,
      hash = false,
      keep,
    }: FileOptions & {
      readonly format: DataFormat;
      readonly state: FileState;
    },
  ) {
    this.path = file.path;
    this.name = file.name;
    this.revision = file.revision;
    this.sha256 = file.sha256;
    this.format = format;
    this.#state = state;
    this.#hash = hash;
    this.#keeps = keep && format !== 'parquet';
    const now = BigInt(Date.now()) * 1_000_000n;
    this.#isSettled = state.isFile() && now - state.ctimeNs > settledNs;
  }

  static async open(file: DataFile, { hash, keep }: FileOptions): Promise<OpenedFile> {
    const handle = await open(file.path).catch((cause) => {
      throw unreadable(file, cause);
    });
    try {
      const state = await handle.stat({ bigint: true });
      const format = await detectFormat(file, handle);
      const opened = new OpenedFile(file, { format, state, hash, keep });
      await opened.#keep(handle);
      return opened;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Rows that nobody reads soon are opened anew when somebody does. */
  async #keep(handle: FileHandle): Promise<void> {
    if (!this.#keeps) return handle.close();
    this.#handle = handle;
    setTimeout(() => this.#handle === handle && this.close(), keptMs).unref();
  }

  async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    yield* this.#hashed((handle) => readHandle(handle));
  }

  /** A pass that another one follows: it leaves the file open. */
  async *countedChunks(): AsyncGenerator<Buffer, void, undefined> {
    const keep = (handle: FileHandle) => this.#keep(handle);
    yield* this.#hashed(async function* (handle) {
      try {
        yield* readOpened(handle);
      } finally {
        await keep(handle);
      }
    });
  }

  async *#hashed(
    read: (handle: FileHandle) => AsyncIterable<Buffer>,
  ): AsyncGenerator<Buffer, void, undefined> {
    const handle = this.#handle ?? (await open(this.path));
    this.#handle = undefined;
    let hash = this.#hash && !this.#isKnown ? createHash('sha256') : undefined;
    let bytes = 0n;
    for await (const chunk of read(handle)) {
      bytes += BigInt(chunk.length);
      // Another pass may have been through with it in the meantime.
      if (this.#isKnown) hash = undefined;
      hash?.update(chunk);
      this.#requireSame(await handle.stat({ bigint: true }));
      yield chunk;
    }
    if (this.#state.isFile() && bytes !== this.#state.size) throw changed(this);
    this.#takeHash(hash?.digest('hex') ?? (await this.#hashIfTouched()));
  }

  /** Whether the hash is known, and what changes the file will show. */
  get #isKnown(): boolean {
    return this.sha256 !== undefined && this.#isSettled;
  }

  /** Whoever changes a file can set back when it was written, and not when it was touched. */
  async #hashIfTouched(): Promise<string | undefined> {
    if (!this.#hash || !this.#state.isFile()) return undefined;
    const { ctimeNs } = await stat(this.path, { bigint: true });
    return ctimeNs === this.#state.ctimeNs ? undefined : hashFile(this.path);
  }

  /** To be asked while rows are read in another way than by `chunks`. */
  async requireUnchanged(): Promise<void> {
    this.#requireSame(await stat(this.path, { bigint: true }));
  }

  #requireSame(now: FileState): void {
    const { ino, size, mtimeNs } = this.#state;
    // Pipes and the like have nothing that stays the same.
    if (!this.#state.isFile()) return;
    if (now.ino !== ino || now.size !== size || now.mtimeNs !== mtimeNs) throw changed(this);
  }

  #takeHash(sha256: string | undefined): void {
    if (sha256 === undefined) return;
    if (this.sha256 !== undefined && this.sha256 !== sha256) throw changed(this);
    this.sha256 = sha256;
  }

  async describe(): Promise<SourceFile> {
    const { name, format, revision } = this;
    if (this.sha256 === undefined) {
      this.sha256 = await hashFile(this.path);
      await this.requireUnchanged();
    }
    const { sha256 } = this;
    const bytes = Number(this.#state.size);
    return { name, format, bytes, sha256, ...(revision === undefined ? {} : { revision }) };
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}

type FileState = Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs' | 'ctimeNs' | 'isFile'>;

function changed({ name }: DataFile): RunError {
  return new RunError('data.changed', `${name} changed while it was being read`, {
    hint: 'Run the same command again: it reads the current file and keeps the answers that still apply.',
  });
}

function columnsNotTaken({ name, format }: OpenedFile): DataError {
  return new DataError(
    'data.columns_not_taken',
    `${name}: a ${format} file already names its columns`,
    {
      hint: 'Leave out `reader_cfg.columns`: it is for CSV and TSV files without a header line.',
    },
  );
}

class FileRows implements RowStream {
  readonly #files: readonly OpenedFile[];
  readonly #options: OpenRowsOptions;
  #rowsRead = 0;
  #count: Promise<number> | undefined;

  constructor(files: readonly OpenedFile[], options: OpenRowsOptions) {
    this.#files = files;
    this.#options = options;
  }

  async *batches(): AsyncGenerator<readonly NamedRow[], void, undefined> {
    let id = 0;
    for (const file of this.#files) {
      for await (const rows of formats[file.format].read(file, this.#options)) {
        if (rows.length === 0) continue;
        if (file.format === 'parquet') await file.requireUnchanged();
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
    for (const file of this.#files) {
      const { path, name } = file;
      const counted = { path, name, chunks: () => file.countedChunks() };
      const { count, read } = formats[file.format];
      total += await (count ? count(counted) : countRows(read(counted, this.#options)));
    }
    return total;
  }

  async describe(): Promise<SourceDescription> {
    if (this.#countsByTheWay()) await this.count();
    const files: SourceFile[] = [];
    for (const file of this.#files) files.push(await file.describe());
    return { files, rowsRead: this.#rowsRead };
  }

  /** Whether the pass that works out the hashes can count the rows too, which a run soon asks for. */
  #countsByTheWay(): boolean {
    const isCounted = (file: OpenedFile) => file.sha256 === undefined && file.format === 'jsonl';
    return this.#options.hash === true && this.#files.every(isCounted);
  }

  async close(): Promise<void> {
    for (const file of this.#files) await file.close();
  }
}
