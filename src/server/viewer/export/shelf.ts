import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MediaContent } from '../../../prompt/parts/content.ts';
import { cutTexts, keptEnds, textAt } from '../../../report/snapshot/cut-texts.ts';
import { mediaBytes } from '../media-reply.ts';

/** Where an export puts what it holds: into the page itself, or into files beside it. */
export interface Shelf {
  readonly isSite: boolean;
  piece(name: string, value: unknown): Promise<void>;
  /** A value with its long texts cut; `name` tells the files of the rest. */
  cut<Value extends object>(value: Value, name: string): Promise<Value & { cut: object[] }>;
  /** The address of a medium; nothing if it is too large. */
  media(content: MediaContent): Promise<string | undefined>;
}

/** Shares of the room that one medium may take. */
const mediumShare = 0.2;

/** Everything in one file. */
export class FileShelf implements Shelf {
  readonly isSite = false;
  readonly pieces: Record<string, unknown> = {};
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  async piece(name: string, value: unknown): Promise<void> {
    this.pieces[name] = value;
  }

  async cut<Value extends object>(value: Value) {
    const { value: short, cut } = cutTexts(value, keptEnds);
    return { ...short, cut };
  }

  async media(content: MediaContent): Promise<string | undefined> {
    if (content.bytes * 1.4 > this.#maxBytes * mediumShare) return undefined;
    const { type, bytes } = await mediaBytes(content);
    return `data:${type};base64,${bytes.toString('base64')}`;
  }
}

/** Endings of media that browsers show and do not run; others are files to be downloaded. */
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/avif': 'avif',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
};

/** A folder of files. */
export class SiteShelf implements Shelf {
  readonly isSite = true;
  readonly #folder: string;
  readonly #written = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  piece(name: string, value: unknown): Promise<void> {
    return this.#write(`data/${name}.json`, JSON.stringify(value));
  }

  async cut<Value extends object>(value: Value, name: string) {
    const { value: short, cut } = cutTexts(value);
    const files: object[] = [];
    for (const [index, one] of cut.entries()) {
      const file = `data/${name}-${index}.txt`;
      await this.#write(file, textAt(value, one.path) ?? '');
      files.push({ ...one, file });
    }
    return { ...short, cut: files };
  }

  async media(content: MediaContent): Promise<string> {
    const file = `data/media/${content.sha256}.${endings[content.mediaType] ?? 'bin'}`;
    if (!this.#written.has(file)) await this.#write(file, (await mediaBytes(content)).bytes);
    this.#written.add(file);
    return file;
  }

  async #write(name: string, content: string | Buffer): Promise<void> {
    const path = join(this.#folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
