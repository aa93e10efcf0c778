import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { crc32, deflateRawSync } from 'node:zlib';

/** The first day that an archive can name: bundles of the same files are the same bytes. */
const firstDay = 0x21;
const deflated = 8;
const utf8Names = 0x0800;
const version = 20;
const largestArchive = 0xffff_ffff;

/** Writes a zip archive, a file at a time. It is there in full once it is closed, or not at all. */
export class ZipWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #directory: Buffer[] = [];
  #offset = 0;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  static async create(file: string): Promise<ZipWriter> {
    return new ZipWriter(file, await open(draftOf(file), 'w'));
  }

  /** Where the archive stands until it is whole. */
  get draft(): string {
    return draftOf(this.#file);
  }

  async add(name: string, content: Buffer): Promise<void> {
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(version, 0);
    fields.writeUInt16LE(utf8Names, 2);
    fields.writeUInt16LE(deflated, 4);
    fields.writeUInt16LE(firstDay, 8);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(content.length, 18);
    const nameBytes = Buffer.from(name);
    fields.writeUInt16LE(nameBytes.length, 22);
    const entry = Buffer.alloc(46);
    entry.write('PK\x01\x02', 'latin1');
    entry.writeUInt16LE(version, 4);
    fields.copy(entry, 6);
    entry.writeUInt32LE(this.#offset, 42);
    this.#directory.push(entry, nameBytes);
    await this.#write(Buffer.from('PK\x03\x04', 'latin1'), fields, nameBytes, packed);
  }

  /** Ends the archive; it is not in place yet. */
  async finish(): Promise<void> {
    const start = this.#offset;
    const directory = Buffer.concat(this.#directory);
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 'latin1');
    const entries = this.#directory.length / 2;
    end.writeUInt16LE(entries, 8);
    end.writeUInt16LE(entries, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(start, 16);
    await this.#write(directory, end);
    await this.#handle.close();
  }

  async putInPlace(): Promise<void> {
    await rename(this.draft, this.#file);
  }

  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(this.draft, { force: true });
  }

  async #write(...parts: readonly Buffer[]): Promise<void> {
    const bytes = Buffer.concat(parts);
    if (this.#offset + bytes.length > largestArchive) {
      throw new RangeError('a zip archive holds at most 4 GB');
    }
    await this.#handle.writeFile(bytes);
    this.#offset += bytes.length;
  }
}

function draftOf(file: string): string {
  return `${file}.part`;
}
