import { hash } from 'node:crypto';
import { ZipWriter } from '../../base/zip-writer.ts';
import type { EvaluationName } from '../../run/store/open-run.ts';
import { type BundledFile, type LineKind, lineFile } from './bundle-format.ts';

const largestFile = 1 << 24;

/** Writes the files of a bundle and keeps their hashes. */
export class BundleWriter {
  readonly #zip: ZipWriter;
  readonly files: BundledFile[] = [];

  private constructor(zip: ZipWriter) {
    this.#zip = zip;
  }

  static async create(file: string): Promise<BundleWriter> {
    return new BundleWriter(await ZipWriter.create(file));
  }

  async add(name: string, text: string): Promise<void> {
    const content = Buffer.from(text);
    this.files.push({ name, bytes: content.length, sha256: hash('sha256', content, 'hex') });
    await this.#zip.add(name, content);
  }

  lines(name: EvaluationName, kind: LineKind): LineWriter {
    return new LineWriter((number, text) => this.add(lineFile(name, kind, number), text));
  }

  get draft(): string {
    return this.#zip.draft;
  }

  finish(): Promise<void> {
    return this.#zip.finish();
  }

  putInPlace(): Promise<void> {
    return this.#zip.putInPlace();
  }

  discard(): Promise<void> {
    return this.#zip.discard();
  }
}

/** Lines that are written to one file after the other. */
export class LineWriter {
  readonly #add: (number: number, text: string) => Promise<void>;
  #text = '';
  #number = 0;

  constructor(add: (number: number, text: string) => Promise<void>) {
    this.#add = add;
  }

  async write(line: string): Promise<void> {
    this.#text += `${line}\n`;
    if (this.#text.length >= largestFile) await this.end();
  }

  async end(): Promise<void> {
    if (this.#text === '') return;
    await this.#add(this.#number++, this.#text);
    this.#text = '';
  }
}
