import type { FileHandle } from 'node:fs/promises';
import { extname } from 'node:path';
import { DataError } from '../../errors.ts';
import { type DataFormat, dataFormats } from '../row-stream.ts';
import type { DataFile } from '../source/data-file.ts';
import { formats } from './formats.ts';
import { markLength } from './text-position.ts';

const formatOfEnding: ReadonlyMap<string, DataFormat> = new Map(
  dataFormats.flatMap((format) => formats[format].endings.map((ending) => [ending, format])),
);

/** The format that the end of a name stands for. */
export function formatOfName(name: string): DataFormat | undefined {
  return formatOfEnding.get(extname(name).toLowerCase());
}

const headBytes = 1 << 20;
export const parquetMagic = Buffer.from('PAR1');

/**
 * The format of a file by its name or, if that says nothing, by its first bytes. Files of JSON
 * lines are often named `.json`, so there the content decides.
 */
export async function detectFormat(file: DataFile, handle: FileHandle): Promise<DataFormat> {
  const named = formatOfName(file.name);
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(headBytes), 0, headBytes, 0)
    .catch((cause) => {
      throw unreadable(file, cause);
    });
  const head = buffer.subarray(0, bytesRead);
  if (head.length === 0) throw emptyFile(file);
  if (named === 'parquet') return named;
  refuseOtherEncodings(file, head);
  const text = head.subarray(markLength(head)).toString('utf8').trimStart();
  if (text === '' && head.length < headBytes) throw emptyFile(file);
  if (named === 'json') return isJsonLines(text) ? 'jsonl' : named;
  const format = named ?? sniffFormat(head, text);
  if (format) return format;
  throw new DataError('data.unknown_format', `${file.name}: the format of the file is unknown`, {
    hint: `Rows are read from ${[...formatOfEnding.keys()].join(', ')} files.`,
  });
}

export function unreadable(file: DataFile, cause: unknown): DataError {
  return new DataError('data.unreadable', `${file.name}: the file cannot be read`, {
    hint: 'Check its permissions.',
    cause,
  });
}

function sniffFormat(head: Buffer, text: string): DataFormat | undefined {
  if (head.subarray(0, parquetMagic.length).equals(parquetMagic)) return 'parquet';
  if (text.startsWith('[')) return 'json';
  const [firstLine = ''] = text.split('\n', 1);
  if (text.startsWith('{')) return isObject(firstLine) ? 'jsonl' : 'json';
  return firstLine.includes(',') ? 'csv' : undefined;
}

/** Tells whether a first line is an object by itself, and another object follows. */
function isJsonLines(text: string): boolean {
  const lineEnd = text.indexOf('\n');
  if (lineEnd < 0 || !text.slice(lineEnd).trimStart().startsWith('{')) return false;
  return isObject(text.slice(0, lineEnd));
}

function isObject(text: string): boolean {
  try {
    return text.startsWith('{') && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function emptyFile(file: DataFile): DataError {
  return new DataError('data.empty', `${file.name}: the file is empty`, {
    hint: 'Was it written or downloaded completely?',
  });
}

const otherEncodings = [
  { bytes: Buffer.from([0xff, 0xfe]), name: 'UTF-16', hint: 'Save the file as UTF-8.' },
  { bytes: Buffer.from([0xfe, 0xff]), name: 'UTF-16', hint: 'Save the file as UTF-8.' },
  { bytes: Buffer.from([0x1f, 0x8b]), name: 'gzip', hint: 'Unpack the file first.' },
  { bytes: Buffer.from('PK\u0003\u0004'), name: 'zip', hint: 'Unpack the file first.' },
];

function refuseOtherEncodings(file: DataFile, head: Buffer): void {
  for (const { bytes, name, hint } of otherEncodings) {
    if (!head.subarray(0, bytes.length).equals(bytes)) continue;
    throw new DataError('data.encoding', `${file.name}: the file is ${name}, not text in UTF-8`, {
      hint,
    });
  }
}
