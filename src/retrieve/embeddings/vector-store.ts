import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../errors.ts';
import {
  encodeHeader,
  encodeVectors,
  indexSegment,
  type KeyedVector,
  keyName,
  offsetOf,
  readVectors,
} from './vector-segment.ts';

interface VectorLocation {
  readonly file: string;
  readonly offset: number;
}

/**
 * Vectors of one embedder in a folder, by key. Every store that adds some writes a file of its own,
 * so that no process waits for another.
 */
export class VectorStore {
  readonly #folder: string;
  readonly #name: string;
  #ownFile: string;
  readonly #locations = new Map<string, VectorLocation>();
  #ownCount = 0;
  #length: number | undefined;

  private constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
    this.#ownFile = this.#newFile();
  }

  /** Opens the vectors under a name in a folder, which need not be there yet. */
  static async open(folder: string, name: string): Promise<VectorStore> {
    const store = new VectorStore(folder, name);
    await inFolder(folder, async () => {
      await mkdir(folder, { recursive: true });
      for (const file of await readdir(folder)) {
        if (file.startsWith(`${name}.`)) await store.#index(join(folder, file));
      }
    });
    return store;
  }

  /** How many numbers a vector has; unknown while there are none. */
  get length(): number | undefined {
    return this.#length;
  }

  has(key: Buffer): boolean {
    return this.#locations.has(keyName(key));
  }

  /** The vectors of keys that are there. */
  async read(keys: readonly Buffer[]): Promise<Float32Array[]> {
    const locations = keys.map((key) => this.#locations.get(keyName(key)) as VectorLocation);
    const files = new Map<string, Map<number, Float32Array>>();
    await inFolder(this.#folder, async () => {
      for (const file of new Set(locations.map((location) => location.file))) {
        const offsets = locations
          .filter((location) => location.file === file)
          .map(({ offset }) => offset);
        files.set(file, await readVectors(file, offsets, this.#length ?? 0));
      }
    });
    return locations.map(({ file, offset }) => files.get(file)?.get(offset) as Float32Array);
  }

  /** Adds vectors of the store's length; one call at a time. */
  async add(vectors: readonly KeyedVector[]): Promise<void> {
    const length = this.#length ?? vectors[0]?.vector.length;
    if (length === undefined) return;
    this.#length = length;
    const header = this.#ownCount === 0 ? [encodeHeader(length)] : [];
    const bytes = Buffer.concat([...header, encodeVectors(vectors)]);
    await inFolder(this.#folder, () => this.#append(bytes));
    for (const { key } of vectors) {
      const offset = offsetOf(this.#ownCount, length);
      this.#locations.set(keyName(key), { file: this.#ownFile, offset });
      this.#ownCount += 1;
    }
  }

  /** What stands after a write that failed half way could not be read. */
  async #append(bytes: Buffer): Promise<void> {
    try {
      await appendFile(this.#ownFile, bytes);
    } catch (error) {
      this.#ownFile = this.#newFile();
      this.#ownCount = 0;
      throw error;
    }
  }

  #newFile(): string {
    return join(this.#folder, `${this.#name}.${randomBytes(6).toString('hex')}.vectors`);
  }

  async #index(file: string): Promise<void> {
    const index = await indexSegment(file);
    if (!index) return;
    const { length, offsets } = index;
    if (length !== (this.#length ?? length)) throw mixedLengths(this.#folder);
    this.#length = length;
    for (const [key, offset] of offsets) this.#locations.set(key, { file, offset });
  }
}

async function inFolder<Result>(folder: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (cause) {
    if (cause instanceof DataError) throw cause;
    throw new DataError(
      'retrieve.cache_unusable',
      `Embeddings cannot be saved in ${folder}: ${(cause as Error).message}`,
      { cause, hint: 'Is the disk full, or the folder not writable? Set `work_dir`.' },
    );
  }
}

function mixedLengths(folder: string): DataError {
  return new DataError(
    'retrieve.bad_embedding',
    `${folder} contains vectors of different lengths from one embedder`,
    { hint: 'Another model answered under the same name: remove the folder.' },
  );
}
