import { type FileHandle, open } from 'node:fs/promises';
import type { DataFile } from '../source/data-file.ts';

const chunkBytes = 2 << 20;

/** The bytes of a file, in a pass of their own. */
export function chunksOf(file: DataFile): AsyncIterable<Buffer> {
  return file.chunks?.() ?? readChunks(file.path);
}

/**
 * Reads a file in large chunks, the next one while the caller works on this one. A chunk is valid
 * until the next is asked for.
 */
export async function* readChunks(path: string): AsyncGenerator<Buffer, void, undefined> {
  yield* readHandle(await open(path));
}

/** The same of a file that is open already; it is closed at the end. */
export async function* readHandle(handle: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* readOpened(handle);
  } finally {
    await handle.close();
  }
}

/** The same from the start of a file, wherever an earlier pass has ended; it stays open. */
export async function* readOpened(handle: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  const stats = await handle.stat();
  // Of a small file not more than it takes; a byte more finds its end.
  const bytes = stats.isFile() ? Math.min(chunkBytes, stats.size + 1) : chunkBytes;
  let current = Buffer.allocUnsafeSlow(bytes);
  let other = Buffer.allocUnsafeSlow(bytes);
  let offset = 0;
  const read = (buffer: Buffer) => handle.read(buffer, 0, bytes, stats.isFile() ? offset : null);
  let pending = read(current);
  while (true) {
    const { bytesRead } = await pending;
    if (bytesRead === 0) return;
    const chunk = current.subarray(0, bytesRead);
    offset += bytesRead;
    [current, other] = [other, current];
    pending = read(current);
    // Its error is thrown where it is awaited, unless the caller stops before.
    pending.catch(() => undefined);
    yield chunk;
  }
}
