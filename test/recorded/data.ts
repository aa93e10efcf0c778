import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { dialogueStream } from '../../src/data/dialogue/dialogue-rows.ts';
import { readMediaSource, sniffMediaType } from '../../src/data/media/media-source.ts';
import { type OpenRowsOptions, openRows } from '../../src/data/open-rows.ts';
import { heldRows, positionRows, type RowStream } from '../../src/data/row-stream.ts';
import { selectRows } from '../../src/data/select/select-rows.ts';
import { compileWhere } from '../../src/data/select/where.ts';
import { listSplits } from '../../src/data/source/hub-splits.ts';
import type { Row } from '../../src/prompt/values.ts';
import { refusal } from './lines.ts';

/** Data, and what is done with it. */
export type Given =
  | readonly ['file', name: string, text: string, options?: OpenRowsOptions & { base64?: true }]
  | readonly ['parquet', columns: readonly object[], options?: object]
  | readonly ['where', expression: string, rows: readonly Row[]]
  | readonly ['select', rows: number, options: object]
  | readonly ['dialogue', type: string, rows: readonly Row[]]
  | readonly ['splits', listing: object]
  | readonly ['media', source: string]
  | readonly ['sniff', base64: string];

/** What comes of it, or the message that refuses it. */
export async function dataOf(given: Given): Promise<unknown> {
  try {
    return await work(given);
  } catch (error) {
    const { refused, at, ...rest } = refusal(error);
    return {
      refused: String(refused).replaceAll(/\/\S*typecase-recorded-\w+\//g, ''),
      at: at && { ...at, file: basename(Object(at).file) },
      ...rest,
    };
  }
}

function work(given: Given): unknown {
  switch (given[0]) {
    case 'file': {
      const [, name, text, { base64, ...options } = {}] = given;
      return inFile(name, Buffer.from(text, base64 ? 'base64' : 'utf8'), options);
    }
    case 'parquet':
      return inFile(
        'rows.parquet',
        Buffer.from(parquetWriteBuffer({ columnData: given[1] as never, ...given[2] })),
        {},
      );
    case 'where': {
      const { columns, matches } = compileWhere(given[1]);
      return [columns, given[2].map(matches)];
    }
    case 'select': {
      const rows = Array.from({ length: given[1] }, (_, id) => ({ id, row: { n: id } }));
      const { range, ids, ...rest } = given[2] as { range?: string; ids?: number[] };
      return all(
        selectRows(heldRows(rows), {
          ...rest,
          ...(range !== undefined && { range }),
          ...(ids && { ids: new Set(ids) }),
        }),
      );
    }
    case 'dialogue':
      return all(dialogueStream(heldRows(given[2].map((row, id) => ({ id, row }))), given[1]));
    case 'splits':
      return listSplits(given[1] as never);
    case 'media':
      return readMediaSource(given[1]);
    case 'sniff':
      return sniffMediaType(Buffer.from(given[1], 'base64'));
  }
}

async function inFile(name: string, bytes: Buffer, options: OpenRowsOptions): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-recorded-'));
  try {
    const path = join(folder, name);
    await writeFile(path, bytes);
    const stream = await openRows(path, options);
    const rows = await all(stream);
    const again = await all(positionRows(stream));
    const { files, rowsRead } = await stream.describe();
    const facts = files.map(({ format, bytes: size, sha256 }) => [format, size, sha256]);
    return { rows, again, facts, rowsRead, count: await stream.count() };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function all(stream: RowStream): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const batch of stream.batches()) found.push(...batch);
  return found;
}
