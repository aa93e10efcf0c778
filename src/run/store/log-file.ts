import { isUtf8 } from 'node:buffer';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { isFileMissing } from '../../base/files.ts';
import { RunError } from '../../errors.ts';
import { checkLock } from './lock.ts';
import { syncEveryMs, writing } from './write-whole.ts';

const flushBytes = 1 << 16;
const flushDelayMs = 200;

/**
 * A file of JSON lines that only grows, written in few calls. After a crash a line is whole or gone,
 * and nothing is written behind what could not be.
 */
export class AppendLog<T> {
  readonly #file: string;
  readonly #handle: FileHandle;
  #offset: number;
  #synced = performance.now();
  #pending = '';
  #pendingBytes = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #error: unknown;

  private constructor(file: string, handle: FileHandle, offset: number) {
    this.#file = file;
    this.#handle = handle;
    this.#offset = offset;
  }

  /** Opens a log and cuts off what stands after `offset`. */
  static async open<T>(file: string, offset: number): Promise<AppendLog<T>> {
    return writing(file, async () => {
      checkLock(file);
      const handle = await open(file, offset === 0 ? 'w+' : 'r+');
      await handle.truncate(offset);
      return new AppendLog(file, handle, offset);
    });
  }

  /** Takes a record and returns the place where it will stand in the file. */
  append(record: T): number {
    if (this.#error) throw this.#error;
    const line = `${JSON.stringify(record)}\n`;
    const offset = this.#offset;
    const bytes = Buffer.byteLength(line);
    this.#offset += bytes;
    this.#pendingBytes += bytes;
    this.#pending += line;
    if (this.#pendingBytes >= flushBytes) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), flushDelayMs);
    return offset;
  }

  /** Waits until everything taken so far is in the file. */
  async flush(): Promise<void> {
    while (!this.#error && (this.#pendingBytes > 0 || this.#writing)) {
      this.#write();
      await this.#writing;
    }
    if (this.#error) throw this.#error;
  }

  async close(): Promise<void> {
    try {
      await this.flush();
      await this.#requireWhole(this.#offset);
      await this.#sync();
    } finally {
      clearTimeout(this.#timer);
      await this.#handle.close();
    }
  }

  /** The record at a place; it may not have reached the file yet. */
  async read(offset: number): Promise<T> {
    await this.flush();
    return readRecordAt(this.#handle, offset);
  }

  #write(): void {
    if (this.#writing || this.#pendingBytes === 0 || this.#error) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const bytes = Buffer.from(this.#pending);
    const position = this.#offset - this.#pendingBytes;
    this.#pending = '';
    this.#pendingBytes = 0;
    this.#writing = this.#writeOut(bytes, position).finally(() => {
      this.#writing = undefined;
      if (this.#error) return;
      if (this.#pendingBytes >= flushBytes) this.#write();
      else if (this.#pendingBytes > 0)
        this.#timer ??= setTimeout(() => this.#write(), flushDelayMs);
    });
  }

  /** A wait for the disk is worth it where there is much to lose. */
  async #sync(): Promise<void> {
    if (performance.now() - this.#synced < syncEveryMs) return;
    await this.#handle.datasync();
    this.#synced = performance.now();
  }

  /** What was written must still be there: the file may have been removed, replaced or cut. */
  async #requireWhole(written: number): Promise<void> {
    const own = await this.#handle.stat({ bigint: true });
    const there = await stat(this.#file, { bigint: true }).catch((error) => {
      if (isFileMissing(error)) return undefined;
      throw error;
    });
    if (!there) throw lostLog(this.#file, 'was removed');
    const isOwn = there.ino === own.ino && there.dev === own.dev;
    if (!isOwn) throw lostLog(this.#file, 'was replaced');
    if (own.size < written) throw lostLog(this.#file, 'was cut short');
    if (own.size > written) throw lostLog(this.#file, 'was written to by something else');
  }

  async #writeOut(bytes: Buffer, position: number): Promise<void> {
    try {
      checkLock(this.#file);
      await this.#requireWhole(position);
    } catch (error) {
      this.#error = error;
      return;
    }
    try {
      await writeFully(this.#handle, bytes, position);
      await this.#sync();
    } catch (cause) {
      this.#error = new RunError('run.log_not_written', `Cannot write the log: ${cause}`, {
        cause,
        hint: 'Check that the disk is not full. What was written is kept; run the same command to resume.',
      });
      await this.#handle.truncate(position).catch(() => undefined);
    }
  }
}

function lostLog(file: string, what: string): RunError {
  return new RunError('run.log_lost', `${file} ${what} during the run`, {
    hint: 'Nothing more is written to it. Put the file back if you can, then run the same command to resume: what the file lacks is asked again.',
  });
}

async function writeFully(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(
      bytes,
      written,
      bytes.length - written,
      position + written,
    );
    written += bytesWritten;
  }
}

const chunkBytes = 1 << 17;
/** Within a line that does not end, more is read at a time. */
const maxChunkBytes = 1 << 22;
const lineEnd = 10;
const replacement = '\uFFFD';

/** A record with its place in the file. */
export interface Positioned<T> {
  readonly record: T;
  readonly offset: number;
  /** Counted from 1. */
  readonly line: number;
}

/** A line of a log; its text is left out if it is not UTF-8. */
interface LogLine {
  readonly text: string | undefined;
  readonly offset: number;
  /** Counted from 1. */
  readonly line: number;
}

/** How a log ends. */
interface LogEnd {
  /** Where the last whole line ends. */
  readonly end: number;
  /** Where a line starts that a crash tore, if there is one. */
  readonly torn?: Omit<LogLine, 'text'>;
}

/** Where reading begins: a place at which a line starts, and the number of that line. */
export type LogStart = Pick<Positioned<unknown>, 'offset' | 'line'>;

const logStart: LogStart = { offset: 0, line: 1 };

/** Reads a log, a batch of lines at a time; what `parse` gives nothing for is left out. */
export async function* readLines<T>(
  file: string,
  parse: (line: LogLine) => T | undefined,
  from: LogStart = logStart,
): AsyncGenerator<Positioned<T>[], LogEnd> {
  const handle = await openIfThere(file);
  if (!handle) return { end: from.offset };
  try {
    let chunk = Buffer.allocUnsafeSlow(chunkBytes);
    let begun: Buffer[] = [];
    let { offset, line } = from;
    let position = offset;
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      const data = chunk.subarray(0, bytesRead);
      const records: Positioned<T>[] = [];
      let start = 0;
      for (let end = data.indexOf(lineEnd); end >= 0; end = data.indexOf(lineEnd, start)) {
        const isBegun = begun.length > 0;
        const bytes = isBegun ? Buffer.concat([...begun, data.subarray(start, end)]) : data;
        const [from, to] = isBegun ? [0, bytes.length] : [start, end];
        const record = parse({ text: decode(bytes, from, to), offset, line });
        if (record !== undefined) records.push({ record, offset, line });
        offset += to - from + 1;
        start = end + 1;
        line++;
        if (isBegun) begun = [];
      }
      yield records;
      if (start === 0) {
        // No line ended here: what was read is kept as it is.
        begun.push(data);
        chunk = Buffer.allocUnsafeSlow(Math.min(chunk.length * 2, maxChunkBytes));
      } else {
        if (start < data.length) begun.push(Buffer.from(data.subarray(start)));
        if (chunk.length > chunkBytes) chunk = Buffer.allocUnsafeSlow(chunkBytes);
      }
    }
    if (begun.length === 0) return { end: offset };
    return { end: offset, torn: { offset, line } };
  } finally {
    await handle.close();
  }
}

function decode(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString('utf8', start, end);
  const isSuspect = text.includes(replacement);
  return isSuspect && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
}

/**
 * Reads a log from the start; lines that are damaged are left out. Its last value is where the last
 * whole line ends: what stands after it was torn by a crash.
 */
export async function* readLog<T>(file: string): AsyncGenerator<Positioned<T>[], number> {
  const { end } = yield* readLines(file, ({ text }) => parseLine<T>(text ?? ''));
  return end;
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

function parseLine<T>(line: string): T | undefined {
  try {
    return JSON.parse(line) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The record that starts at a place. */
export async function readRecordAt<T>(handle: FileHandle, offset: number): Promise<T> {
  const line = await readLineAt(handle, offset);
  if (line !== undefined) return JSON.parse(line.toString());
  throw new RunError('run.torn_log', `no record starts at byte ${offset} of the log`);
}

/** The line that starts at a place; nothing if it has no end. */
export async function readLineAt(handle: FileHandle, offset: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let position = offset;
  for (let length = 1 << 14; ; length = Math.min(length * 2, maxChunkBytes)) {
    const chunk = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    const end = chunk.subarray(0, bytesRead).indexOf(lineEnd);
    parts.push(chunk.subarray(0, end < 0 ? bytesRead : end));
    position += bytesRead;
    if (end >= 0) return Buffer.concat(parts);
    if (bytesRead === 0) return undefined;
  }
}
