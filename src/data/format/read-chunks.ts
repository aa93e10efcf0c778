import { open } from 'node:fs/promises';

const chunkBytes = 2 << 20;

/**
 * Reads a file in large chunks, the next one while the caller works on this one. A chunk is valid
 * until the next is asked for.
 */
export async function* readChunks(path: string): AsyncGenerator<Buffer, void, undefined> {
  const handle = await open(path);
  try {
    let current = Buffer.allocUnsafeSlow(chunkBytes);
    let other = Buffer.allocUnsafeSlow(chunkBytes);
    let pending = handle.read(current, 0, chunkBytes);
    while (true) {
      const { bytesRead } = await pending;
      if (bytesRead === 0) return;
      const chunk = current.subarray(0, bytesRead);
      [current, other] = [other, current];
      pending = handle.read(current, 0, chunkBytes);
      // Its error is thrown where it is awaited, unless the caller stops before.
      pending.catch(() => undefined);
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}

/** The first bytes of a file. */
export async function readHead(path: string, length: number): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
