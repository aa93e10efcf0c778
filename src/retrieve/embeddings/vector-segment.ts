import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/*
 * A file of vectors of one length: a mark, the length, and then for each vector its key, its numbers
 * and a checksum. One process writes a file, once and from the start: what a crash left half written
 * stands at its end and is not read.
 */

const mark = Buffer.from('tcvectr1');
const headerBytes = mark.length + 4;
const checkBytes = 4;
const chunkBytes = 1 << 22;

export const keyBytes = 16;

/** A vector and the key that it is found by. */
export interface KeyedVector {
  readonly key: Buffer;
  readonly vector: Float32Array;
}

export function encodeHeader(length: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  mark.copy(header);
  header.writeUInt32LE(length, mark.length);
  return header;
}

export function encodeVectors(vectors: readonly KeyedVector[]): Buffer {
  return Buffer.concat(
    vectors.flatMap(({ key, vector }) => {
      const numbers = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
      const check = Buffer.alloc(checkBytes);
      check.writeUInt32LE(crc32(numbers, crc32(key)));
      return [key, numbers, check];
    }),
  );
}

/** Where in a file the vectors stand, by key, and how long they are. */
export interface SegmentIndex {
  readonly length: number;
  readonly offsets: ReadonlyMap<string, number>;
}

/** Where in a file the vector with this number starts. */
export function offsetOf(number: number, length: number): number {
  return headerBytes + number * recordBytes(length) + keyBytes;
}

/** Reads which vectors a file holds; nothing if it is no file of vectors. */
export async function indexSegment(path: string): Promise<SegmentIndex | undefined> {
  const file = await open(path, 'r');
  try {
    const header = await readAt(file, 0, headerBytes);
    if (header.length < headerBytes || !header.subarray(0, mark.length).equals(mark)) {
      return undefined;
    }
    const length = header.readUInt32LE(mark.length);
    return { length, offsets: await indexRecords(file, length) };
  } finally {
    await file.close();
  }
}

async function indexRecords(file: FileHandle, length: number): Promise<Map<string, number>> {
  const offsets = new Map<string, number>();
  const size = recordBytes(length);
  const chunkSize = Math.max(1, Math.floor(chunkBytes / size)) * size;
  for (let start = headerBytes; ; start += chunkSize) {
    const chunk = await readAt(file, start, chunkSize);
    for (let offset = 0; offset + size <= chunk.length; offset += size) {
      const record = chunk.subarray(offset, offset + size);
      const content = record.subarray(0, size - checkBytes);
      if (crc32(content) !== record.readUInt32LE(size - checkBytes)) return offsets;
      offsets.set(keyName(content.subarray(0, keyBytes)), start + offset + keyBytes);
    }
    if (chunk.length < chunkSize) return offsets;
  }
}

/** The vectors at some offsets of a file, by offset. Neighbours are read together. */
export async function readVectors(
  path: string,
  offsets: readonly number[],
  length: number,
): Promise<Map<number, Float32Array>> {
  const vectors = new Map<number, Float32Array>();
  const size = recordBytes(length);
  const sorted = [...offsets].sort((a, b) => a - b);
  const file = await open(path, 'r');
  try {
    for (let first = 0, next = 0; first < sorted.length; first = next) {
      const start = sorted[first] as number;
      while (sorted[next] === start + (next - first) * size && (next - first) * size < chunkBytes) {
        next += 1;
      }
      const bytes = await readAt(file, start, (next - first - 1) * size + length * 4);
      for (let offset = 0; offset < bytes.length; offset += size) {
        vectors.set(
          start + offset,
          new Float32Array(bytes.buffer.slice(offset, offset + length * 4)),
        );
      }
    }
  } finally {
    await file.close();
  }
  return vectors;
}

export function keyName(key: Buffer): string {
  return key.toString('latin1');
}

function recordBytes(length: number): number {
  return keyBytes + length * 4 + checkBytes;
}

/** Reads so many bytes, or what is left of the file. */
async function readAt(
  file: FileHandle,
  position: number,
  size: number,
): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.from(new ArrayBuffer(size));
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(buffer, filled, size - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
