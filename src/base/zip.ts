import { crc32, inflateRawSync } from 'node:zlib';
import { DataError } from '../errors.ts';

/** A file inside an archive. */
export interface ZipEntry {
  readonly name: string;
  read(): Buffer;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const endLength = 22;
const entryLength = 46;
const headerLength = 30;
const longestComment = 0xffff;
const largestFile = 1 << 28;
/** Of all files that are read out of one archive together. */
const largestTotal = 2 ** 29;

/** Unpacks what is packed by a method, by its number in archives, to so many bytes. */
export type Unpackers = Readonly<Record<number, (packed: Buffer, length: number) => Uint8Array>>;

const inflate: Unpackers = {
  8: (packed, length) => inflateRawSync(packed, { maxOutputLength: Math.max(length, 1) }),
};

/** The files of a zip archive, in the order of its directory. */
export function readZip(archive: Buffer, file: string, more: Unpackers = {}): ZipEntry[] {
  const unpackers = { ...inflate, ...more };
  const end = findEnd(archive);
  if (end === undefined) throw damaged(file, 'it has no directory');
  const count = archive.readUInt16LE(end + 10);
  let offset = archive.readUInt32LE(end + 16);
  const entries: ZipEntry[] = [];
  let total = 0;
  for (let index = 0; index < count; index += 1) {
    if (offset + entryLength > end || archive.readUInt32LE(offset) !== entryMark) {
      throw damaged(file, 'its directory cannot be read');
    }
    const nameEnd = offset + entryLength + archive.readUInt16LE(offset + 28);
    const name = archive.toString('utf8', offset + entryLength, nameEnd);
    const start = offset;
    if (!name.endsWith('/')) {
      entries.push({
        name,
        read: () => {
          total += archive.readUInt32LE(start + 24);
          if (total > largestTotal) throw damaged(file, 'it holds too much');
          return readEntry(archive, { start, unpackers, where: `${file}: ${name}` });
        },
      });
    }
    offset = nameEnd + archive.readUInt16LE(offset + 30) + archive.readUInt16LE(offset + 32);
  }
  return entries;
}

/** Where the directory's last record begins; a comment may follow it. */
function findEnd(archive: Buffer): number | undefined {
  const last = archive.length - endLength;
  for (let offset = last; offset >= Math.max(0, last - longestComment); offset -= 1) {
    if (archive.readUInt32LE(offset) === endMark) return offset;
  }
  return undefined;
}

interface EntryPlace {
  readonly start: number;
  readonly unpackers: Unpackers;
  readonly where: string;
}

function readEntry(archive: Buffer, { start, unpackers, where }: EntryPlace): Buffer {
  const method = archive.readUInt16LE(start + 10);
  const sum = archive.readUInt32LE(start + 16);
  const packedLength = archive.readUInt32LE(start + 20);
  const length = archive.readUInt32LE(start + 24);
  const header = archive.readUInt32LE(start + 42);
  if (length > largestFile) throw damaged(where, 'it is too large');
  if (header + headerLength > archive.length) throw damaged(where, 'it is cut off');
  const skipped = archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const from = header + headerLength + skipped;
  const packed = archive.subarray(from, from + packedLength);
  const content = unpack(packed, { unpacker: unpackers[method], method, length, where });
  if (content.length !== length || crc32(content) !== sum)
    throw damaged(where, 'its checksum is wrong');
  return content;
}

interface PackedEntry {
  readonly method: number;
  readonly unpacker: Unpackers[number] | undefined;
  readonly length: number;
  readonly where: string;
}

function unpack(packed: Buffer, { method, unpacker, length, where }: PackedEntry): Buffer {
  if (method === 0) return packed;
  if (!unpacker) throw damaged(where, `it is packed by method ${method}`);
  try {
    return Buffer.from(unpacker(packed, length));
  } catch (error) {
    throw damaged(where, error instanceof Error ? error.message : String(error));
  }
}

function damaged(where: string, problem: string): DataError {
  return new DataError('task.bad_archive', `${where} cannot be read: ${problem}`, {
    hint: 'Download the file again.',
  });
}
