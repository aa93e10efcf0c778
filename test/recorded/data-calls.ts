import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { buildFloat, buildMapping } from '../../src/data/build-mapping.ts';
import { strangeRole } from '../../src/data/dialogue/dialogue-rows.ts';
import { areEndsWithoutExponents } from '../../src/data/format/edge-numbers.ts';
import { parseRows } from '../../src/data/format/exact-json.ts';
import { formats } from '../../src/data/format/formats.ts';
import { markFloats, markNumbers } from '../../src/data/format/inexact-numbers.ts';
import { jsonLineAt } from '../../src/data/format/json-line-at.ts';
import { parquetParsers, readParquetValue } from '../../src/data/format/parquet-values.ts';
import { HeadRows } from '../../src/data/head-rows.ts';
import { isDeeperThan, JsonProblem, readJson } from '../../src/data/json-reader.ts';
import { MediaLibrary } from '../../src/data/media/media-library.ts';
import { needsTotal, selectRange, spanOf } from '../../src/data/row-range.ts';
import { countRows, type DataFormat, heldRows, type RowStream } from '../../src/data/row-stream.ts';
import { offsetOfDeepNesting } from '../../src/data/yaml-nesting.ts';
import type { ContentPart, MediaPart } from '../../src/prompt/parts/content.ts';
import type { Row } from '../../src/prompt/values.ts';

/** Parts of reading data that no small file reaches: what comes of them for what they are given. */
export const dataCalls = {
  /** A file that comes in pieces of so many bytes; its lines by their numbers, if it has any. */
  async chunks(format: DataFormat, text: string, sizes: readonly number[], lines = 0) {
    return withFile(`rows.${format}`, Buffer.from(text), async (path, name) => {
      const bytes = Buffer.from(text);
      async function* chunks() {
        for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
          const end = start + (sizes[turn % sizes.length] ?? 1);
          yield Buffer.from(bytes.subarray(start, end));
          start = end;
        }
      }
      const file = { path, name, chunks };
      const batches: unknown[] = [];
      const read = async () => {
        for await (const rows of formats[format].read(file, {})) batches.push(rows);
      };
      const refused = await read().catch((error) => [error.message, error.at, error.hint]);
      const at = await Promise.all(
        Array.from({ length: lines }, (_, line) =>
          jsonLineAt(file, line).catch((error) => error.message),
        ),
      );
      return [batches, refused, await formats[format].count?.(file), at];
    });
  },
  /** Rows of a list: as they are read together, and what is seen of their ends. */
  list(rows: readonly string[]) {
    const list = Buffer.from(`[${rows.join(',')}]`);
    let at = 0;
    const ends = rows.map((row) => {
      at += Buffer.byteLength(row) + 1;
      return at;
    });
    const areFree = areEndsWithoutExponents({ list, offset: 0, ends });
    const text = list.toString();
    const options = { count: rows.length, endsWithoutExponents: () => areFree };
    return [areFree, parseRows(text, options), markFloats(text) === text, markNumbers(text)];
  },
  /** A Parquet file of which some bytes are others. */
  async damaged(columns: readonly object[], bytes: Readonly<Record<string, number>>) {
    const whole = Buffer.from(parquetWriteBuffer({ columnData: columns as never }));
    for (const [at, byte] of Object.entries(bytes)) whole[Number(at) % whole.length] = byte;
    return withFile('rows.parquet', whole, async (path, name) => {
      const batches: unknown[] = [];
      for await (const rows of formats.parquet.read({ path, name }, {})) batches.push(rows);
      return batches;
    });
  },
  json(text: string) {
    try {
      return readJson(text);
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error;
      return [error.message, error.offset, error.duplicateKey];
    }
  },
  deeper: (levels: number, value: unknown) => isDeeperThan(levels, value),
  yamlDepth: (levels: number) => offsetOfDeepNesting('- '.repeat(levels)),
  mapping: (entries: readonly (readonly [unknown, unknown])[]) => buildMapping(entries),
  parquetValue: (value: unknown, schema: object) =>
    readParquetValue(fromJson(value), schema as never),
  parquetTime: (name: keyof typeof parquetParsers, count: string) =>
    (parquetParsers[name] as (value: unknown) => unknown)(
      name === 'dateFromDays' ? Number(count) : BigInt(count),
    ),
  range: (range: string | number, total: number) => [
    needsTotal(range),
    spanOf(range, total),
    selectRange(total, range),
    selectRange(total, undefined).length,
    needsTotal(typeof range === 'number' ? (buildFloat(range) as never) : range),
  ],
  role: (row: Row) => strangeRole(row),
  /** How a stream is read that was looked at first: which batches are read how often. */
  async heads(rows: number, looks: readonly number[], keeps?: boolean) {
    let reads = 0;
    let closed = 0;
    const held = heldRows(Array.from({ length: rows }, (_, id) => ({ id, row: { id } })));
    const stream: RowStream = {
      ...held,
      async *batches() {
        try {
          for await (const batch of held.batches()) {
            reads += 1;
            yield batch;
          }
        } finally {
          closed += 1;
        }
      },
    };
    const heads = new HeadRows(stream, keeps);
    for (const batches of looks) {
      let seen = 0;
      await heads.look(() => ++seen >= batches);
    }
    const lengths: number[] = [];
    for await (const batch of heads.batches()) lengths.push(batch.length);
    await heads.look(() => true);
    await heads.close();
    return [lengths, reads, closed, await heads.count(), await countRows(held.batches())];
  },
  /** Media of a folder as a prompt names them. */
  async media(file: string | undefined, parts: readonly MediaPart[], settings: object) {
    const bytes = Buffer.from(file ?? '', 'base64');
    return withFile('a b.png', bytes, async (path) => {
      const folder = join(path, '..');
      const library = new MediaLibrary({
        folder,
        inline: true,
        maxBytes: 100,
        allowOutside: false,
        ...settings,
      });
      await library.look(parts);
      const found: unknown[] = [];
      for (const part of parts) found.push(await settled(library, part));
      return JSON.parse(JSON.stringify(found).replaceAll(folder, 'FOLDER'));
    });
  },
};

async function settled(library: MediaLibrary, part: MediaPart): Promise<unknown> {
  try {
    const { content, ...rest }: Extract<ContentPart, MediaPart> = library.settle(part);
    if (!content) return rest;
    const { address, ...facts } = content;
    return [rest, facts, await address()];
  } catch (error) {
    const { message, hint } = error as Error & { readonly hint?: string };
    return [message, hint];
  }
}

/** Whole numbers in texts such as `12n` as bigint, and texts in `bytes:` as bytes. */
function fromJson(value: unknown): unknown {
  if (typeof value === 'string' && /^-?\d+n$/.test(value)) return BigInt(value.slice(0, -1));
  if (typeof value === 'string' && value.startsWith('bytes:')) {
    return Uint8Array.from(Buffer.from(value.slice(6), 'hex'));
  }
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromJson(item)]));
}

async function withFile<Result>(
  name: string,
  bytes: Buffer,
  step: (path: string, name: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-recorded-'));
  try {
    const path = join(folder, name);
    if (bytes.length > 0) await writeFile(path, bytes);
    return await step(path, name);
  } finally {
    await rm(folder, { recursive: true });
  }
}
