import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SchemaElement } from 'hyparquet';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { Float } from '../prompt/values.ts';
import { openRows } from './open-rows.ts';
import { collect, makeFolder } from './test-sources.ts';

interface Written {
  readonly columnData: ColumnSource[];
  readonly schema?: SchemaElement[];
  readonly rowGroupSize?: number;
  readonly cut?: (bytes: Buffer) => Buffer;
}

async function openParquet({ cut = (bytes) => bytes, ...written }: Written) {
  const folder = await makeFolder();
  const bytes = Buffer.from(parquetWriteBuffer({ rowGroupSize: 2, ...written }));
  await writeFile(join(folder, 'rows.parquet'), cut(bytes));
  return openRows('rows.parquet', { folder });
}

it('reads values as rows hold them', async () => {
  const day = new Date('2024-02-29T00:00:00.000Z');
  const stream = await openParquet({
    columnData: [
      { name: 'text', data: ['a', 'é字', ''], type: 'STRING' },
      { name: 'small', data: [1, 2, 3], type: 'INT32' },
      { name: 'large', data: [1n, 9007199254740993n, -5n], type: 'INT64' },
      { name: 'double', data: [1, 0.5, -2], type: 'DOUBLE' },
      { name: 'flag', data: [true, false, true], type: 'BOOLEAN' },
      { name: 'time', data: [day, day, day], type: 'TIMESTAMP' },
      { name: 'nested', data: [{ x: [1, 2] }, { x: [] }, { x: [3] }], type: 'JSON' },
      { name: 'gap', data: [null, 'x', undefined], type: 'STRING', nullable: true },
      { name: '__proto__', data: ['p', 'q', 'r'], type: 'STRING' },
    ],
  });
  const rows = await collect(stream);
  expect(rows.map(({ id }) => id)).toEqual([0, 1, 2]);
  expect(Object.entries(rows[1]?.row ?? {})).toEqual([
    ['text', 'é字'],
    ['small', 2],
    ['large', 9007199254740993n],
    ['double', 0.5],
    ['flag', false],
    ['time', '2024-02-29T00:00:00.000Z'],
    ['nested', { x: [] }],
    ['gap', 'x'],
    ['__proto__', 'q'],
  ]);
  expect(rows[0]?.row).toMatchObject({ double: new Float(1), large: 1, gap: null });
  expect(rows[2]?.row).toMatchObject({ double: new Float(-2), nested: { x: [3] }, gap: null });
  expect(await stream.count()).toBe(3);
});

it('reads lists, groups, decimals, dates, precise times and bytes', async () => {
  const schema: SchemaElement[] = [
    { name: 'root', num_children: 6 },
    { name: 'list', converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
    { name: 'group', repetition_type: 'OPTIONAL', num_children: 2 },
    { name: 'whole', type: 'INT64', repetition_type: 'OPTIONAL' },
    { name: 'real', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
    { name: 'price', type: 'INT32', converted_type: 'DECIMAL', scale: 1, precision: 9 },
    { name: 'day', type: 'INT32', converted_type: 'DATE' },
    { name: 'time', type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
    { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
  ];
  const image = Uint8Array.from([0xff, 0xd8, 0xff]);
  const stream = await openParquet({
    schema,
    columnData: [
      { name: 'list', data: [[1, 0.5, null], null] },
      { name: 'group', data: [{ whole: 2n, real: 2 }, null] },
      { name: 'price', data: [0.3, 1.2] },
      { name: 'day', data: [new Date('2024-02-29'), new Date('1969-12-31')] },
      { name: 'time', data: [1_700_000_000_000_001n, -1n] },
      { name: 'bytes', data: [image, Buffer.from('text')] },
    ],
  });
  const [first, second] = await collect(stream);
  expect(first?.row).toEqual({
    list: [new Float(1), 0.5, null],
    group: { whole: 2, real: new Float(2) },
    price: 0.3,
    day: '2024-02-29',
    time: '2023-11-14T22:13:20.000001Z',
    bytes: image,
  });
  expect(second?.row).toMatchObject({
    list: null,
    group: null,
    price: 1.2,
    day: '1969-12-31',
    time: '1969-12-31T23:59:59.999999Z',
    bytes: 'text',
  });
});

it('gives no more than 250 rows at once', async () => {
  const data = Array.from({ length: 2_500 }, (_, index) => index);
  const stream = await openParquet({
    columnData: [{ name: 'n', data, type: 'INT32' }],
    rowGroupSize: 2_000,
  });
  const sizes: number[] = [];
  for await (const batch of stream.batches()) sizes.push(batch.length);
  expect(sizes).toEqual(Array(10).fill(250));
});

it.each([
  ['no Parquet', () => Buffer.from('{"q": 1}'), 'this is not a Parquet file'],
  ['cut short', (bytes: Buffer) => bytes.subarray(0, -20), 'the end of the file is missing'],
  [
    'without its middle',
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 8), bytes.subarray(-8)]),
    'the footer cannot be read',
  ],
  [
    'said to have columns that it does not have',
    (bytes: Buffer) => {
      const changed = Buffer.from(bytes);
      const children = changed.lastIndexOf('root') + 'root'.length;
      // The number of columns, after the mark of its field.
      expect([...changed.subarray(children, children + 2)]).toEqual([0x15, 2 * 1]);
      changed[children + 1] = 2 * 9;
      return changed;
    },
    'the footer cannot be read',
  ],
  [
    'damaged',
    (bytes: Buffer) => Buffer.from(bytes).fill(0xff, 4, 40),
    'row group 1 cannot be read',
  ],
])('refuses a file that is %s', async (_, cut, problem) => {
  const columnData: ColumnSource[] = [{ name: 'q', data: ['a', 'b', 'c'], type: 'STRING' }];
  const stream = await openParquet({ columnData, cut });
  await expect(collect(stream)).rejects.toMatchObject({
    code: 'data.bad_parquet',
    message: `rows.parquet: ${problem}`,
  });
});
