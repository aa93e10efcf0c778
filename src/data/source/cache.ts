import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readChunks } from '../format/read-chunks.ts';

/** A file kept in the cache under the hash of its content. */
export interface Blob {
  readonly path: string;
  readonly sha256: string;
}

/** Files from the network by their content, and notes on what was found where. */
export class Cache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async storeBlob(content: AsyncIterable<Uint8Array>): Promise<Blob> {
    const folder = await this.#makeFolder('blobs');
    const temporary = join(folder, `${randomUUID()}.part`);
    const hash = createHash('sha256');
    try {
      await pipeline(content, (chunks) => hashChunks(chunks, hash), createWriteStream(temporary));
      const sha256 = hash.digest('hex');
      const path = join(folder, sha256);
      await rename(temporary, path);
      return { path, sha256 };
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async findBlob(sha256: string): Promise<Blob | undefined> {
    const path = join(this.#folder, 'blobs', sha256);
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    return isThere ? { path, sha256 } : undefined;
  }

  /** Keeps what is known about an address, for later and for when there is no network. */
  async writeNote(address: string, note: unknown): Promise<void> {
    const path = join(await this.#makeFolder('notes'), noteName(address));
    const temporary = `${path}.${randomUUID()}`;
    await writeFile(temporary, JSON.stringify(note));
    await rename(temporary, path);
  }

  async readNote(address: string): Promise<unknown> {
    const path = join(this.#folder, 'notes', noteName(address));
    const text = await readFile(path, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async #makeFolder(name: string): Promise<string> {
    const folder = join(this.#folder, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }
}

/** Where downloaded data is kept unless the caller names a folder. */
export function defaultCacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'typecase');
}

/** SHA-256 of a file, as hex digits. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of readChunks(path)) hash.update(chunk);
  return hash.digest('hex');
}

async function* hashChunks(
  chunks: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

// An address may hold a secret, so it is not kept in clear.
function noteName(address: string): string {
  return `${createHash('sha256').update(address).digest('hex')}.json`;
}
