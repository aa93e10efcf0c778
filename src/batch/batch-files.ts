import { createWriteStream, type WriteStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { GenerateResult } from '../model/model.ts';
import { restoreAnswer, storeAnswer } from '../run/store/stored-answer.ts';

/** The requests of a batch, as they are gathered: together they may not fit into memory. */
export class RequestFile {
  readonly path: string;
  readonly keys: string[] = [];
  #bytes = 0;
  readonly #stream: WriteStream;
  readonly #written: Promise<void>;

  constructor(path: string) {
    this.path = path;
    this.#stream = createWriteStream(path);
    this.#written = finished(this.#stream);
    this.#written.catch(() => undefined);
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(key: string, line: string): void {
    this.keys.push(key);
    this.#bytes += Buffer.byteLength(line);
    this.#stream.write(line);
  }

  async end(): Promise<void> {
    this.#stream.end();
    await this.#written;
  }

  async remove(): Promise<void> {
    this.#stream.destroy();
    await rm(this.path, { force: true });
  }
}

interface Place {
  readonly at: number;
  readonly bytes: number;
}

/** Answers that nobody asked for yet, on disk: a batch can have many, and long ones. */
export class EarlyAnswers {
  readonly #newFile: () => string;
  readonly #places = new Map<string, Place>();
  #file: Promise<FileHandle> | undefined;
  #path = '';
  #end = 0;

  constructor(newFile: () => string) {
    this.#newFile = newFile;
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  async put(key: string, result: GenerateResult): Promise<void> {
    const text = Buffer.from(JSON.stringify(storeAnswer(result)));
    const place = { at: this.#end, bytes: text.length };
    this.#end += text.length;
    if (!this.#file) {
      this.#path = this.#newFile();
      this.#file = open(this.#path, 'w+');
    }
    await (await this.#file).write(text, 0, place.bytes, place.at);
    this.#places.set(key, place);
  }

  async take(key: string): Promise<GenerateResult | undefined> {
    const place = this.#places.get(key);
    this.#places.delete(key);
    if (!place || !this.#file) return undefined;
    const text = Buffer.alloc(place.bytes);
    await (await this.#file).read(text, 0, place.bytes, place.at);
    return restoreAnswer(JSON.parse(text.toString())) as GenerateResult | undefined;
  }

  async close(): Promise<void> {
    if (!this.#file) return;
    await (await this.#file).close();
    await rm(this.#path, { force: true });
  }
}
