import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isFileMissing } from '../../../base/files.ts';
import { JsonProblem, readJson } from '../../../data/json-reader.ts';
import { openRows } from '../../../data/open-rows.ts';
import type { SourceFile } from '../../../data/row-stream.ts';
import { DataError } from '../../../errors.ts';
import { entriesOf, isMapping } from '../../../prompt/mapping.ts';
import type { Row } from '../../../prompt/values.ts';

/** The published files of a dataset, in a folder that is not left. */
export class PublishedFiles {
  /** What was read, for the record of a run. */
  readonly read = new Map<string, SourceFile>();
  /** The path itself, which may be a file. */
  readonly path: string;
  /** AISBench names folders where OpenCompass names a file of them. */
  readonly isFolder: boolean;
  readonly #folder: string;

  private constructor(path: string, isFile: boolean) {
    this.path = path;
    this.isFolder = !isFile;
    this.#folder = isFile ? dirname(path) : path;
  }

  static async open(path: string): Promise<PublishedFiles> {
    const stats = await stat(path).catch(() => undefined);
    if (!stats) throw missing(path);
    return new PublishedFiles(path, stats.isFile());
  }

  /** The path itself, or a file in it. */
  #resolve(name: string): string {
    const path = name === '' ? this.path : resolve(this.#folder, name);
    const way = relative(this.#folder, path);
    if (!way.startsWith('..')) return path;
    throw new DataError('data.not_found', `${name} is not in ${this.#folder}`, {
      hint: 'Give files of the dataset without `..`.',
    });
  }

  /** The rows of a file: JSONL, JSON, CSV or Parquet. A file of JSON lines may be called `.json`. */
  async rows(name = '', columns?: readonly string[]): Promise<Row[]> {
    const path = this.#resolve(name);
    await requireFile(path);
    if (path.endsWith('.json')) {
      const text = await this.text(name);
      if (!/^\s*\[/.test(text)) return this.#jsonLines(text, path);
    }
    const stream = await openRows(path, { hash: true, ...(columns && { columns }) });
    const rows: Row[] = [];
    for await (const batch of stream.batches()) rows.push(...batch.map(({ row }) => row));
    for (const file of (await stream.describe()).files) this.#note(file);
    return rows;
  }

  /** Rows of values that tabs divide, without a header line. */
  async table(name: string, columns: readonly string[]): Promise<Row[]> {
    const { parse } = await import('csv-parse/sync');
    return parse(await this.text(name), {
      delimiter: '\t',
      relax_quotes: true,
      skip_empty_lines: true,
      columns: [...columns],
    }) as Row[];
  }

  async lines(name: string): Promise<string[]> {
    const text = await this.text(name);
    const lines = text.split(/\r\n|\n|\r/);
    if (lines.at(-1) === '') lines.pop();
    return lines;
  }

  async text(name = ''): Promise<string> {
    return (await this.bytes(name)).toString('utf8').replace(/^\ufeff/, '');
  }

  async bytes(name = ''): Promise<Buffer> {
    const path = this.#resolve(name);
    const bytes = await readFile(path).catch((error: unknown) => {
      throw isFileMissing(error) ? missing(path) : error;
    });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#note({ name: path, format: 'json', bytes: bytes.length, sha256 });
    return bytes;
  }

  /** A JSON document of any form. */
  async json(name = ''): Promise<unknown> {
    return parseJson(await this.text(name), { path: this.#resolve(name), line: 1 });
  }

  #jsonLines(text: string, path: string): Row[] {
    return text
      .split('\n')
      .map((line, index) => ({ line: line.trim(), index }))
      .filter(({ line }) => line !== '')
      .map(({ line, index }) => {
        const value = parseJson(line, { path, line: index + 1 });
        return Object.fromEntries(isMapping(value) ? entriesOf(value) : []) as Row;
      });
  }

  /** The names of the files in a folder that a pattern matches, in order. */
  async names(pattern: RegExp, folder = ''): Promise<string[]> {
    const path = folder === '' ? this.#folder : this.#resolve(folder);
    const names = await readdir(path).catch(() => []);
    return names
      .filter((name) => pattern.test(name))
      .sort()
      .map((name) => (folder === '' ? name : join(folder, name)));
  }

  #note(file: SourceFile): void {
    this.read.set(file.name, file);
  }
}

function parseJson(text: string, { path, line }: { path: string; line: number }): unknown {
  try {
    return readJson(text).value;
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    const at = line + text.slice(0, error.offset).split('\n').length - 1;
    throw new DataError('data.syntax', `${path}, line ${at}: ${error.message}`, {
      hint: 'The file differs from the published one: download it again.',
    });
  }
}

async function requireFile(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) throw missing(path);
}

function missing(path: string): DataError {
  return new DataError('data.not_found', `${path}: file not found`, {
    hint: `Put the published ${basename(path)} there, or provide your own rows with --data.`,
  });
}
