import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import files, { link, open, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { openRows } from './open-rows.ts';
import { collect, makeFolder, writeFiles } from './test-sources.ts';

it('counts a file once, whatever links lead to it', async () => {
  const folder = await writeFiles({ 'data/a.jsonl': '{"q": 1}\n', 'data/z/b.jsonl': '{"q": 2}\n' });
  await symlink('.', join(folder, 'data/loop'));
  await link(join(folder, 'data/a.jsonl'), join(folder, 'data/hard.jsonl'));
  await symlink('z', join(folder, 'data/y'));
  await symlink('a.jsonl', join(folder, 'data/0.jsonl'));
  const stream = await openRows('data/**/*.jsonl', { folder });
  expect((await stream.describe()).files.map(({ name }) => name)).toEqual([
    'data/a.jsonl',
    'data/z/b.jsonl',
  ]);
});

/** Rows of more bytes than are read at once. */
const longRows = (word: string, rows = 3_000) =>
  Array.from(
    { length: rows },
    (_, id) => `${JSON.stringify({ id, text: word.repeat(500) })}\n`,
  ).join('');

it.each<[string, (path: string) => Promise<void>]>([
  ['rewritten', (path) => writeFile(path, longRows('def'))],
  ['rewritten with other lengths', (path) => writeFile(path, longRows('defg'))],
  ['cut', (path) => truncate(path, longRows('abc', 2_000).length)],
  ['longer', (path) => writeFile(path, '{}\n', { flag: 'a' })],
])('a file that is %s while it is read is an error', async (_name, change) => {
  const folder = await writeFiles({ 'a.jsonl': longRows('abc') });
  const batches = (await openRows('a.jsonl', { folder })).batches()[Symbol.asyncIterator]();
  await batches.next();
  await change(join(folder, 'a.jsonl'));
  const readOn = async () => {
    const rows: unknown[] = [];
    for (let next = await batches.next(); !next.done; next = await batches.next())
      rows.push(next.value);
  };
  await expect(readOn()).rejects.toMatchObject({
    code: 'data.changed',
    message: 'a.jsonl changed while it was being read',
  });
});

it.each([0, 1_100])(
  'a change that leaves size and time as they were shows in the hash, of a file untouched for %d ms',
  async (untouchedMs) => {
    const folder = await writeFiles({ 'a.jsonl': longRows('abc') });
    const path = join(folder, 'a.jsonl');
    const time = new Date(1_700_000_000_000);
    await utimes(path, time, time);
    await wait(untouchedMs);
    const stream = await openRows('a.jsonl', { folder, hash: true });
    await stream.describe();
    await writeFile(path, longRows('def'));
    await utimes(path, time, time);
    await expect(collect(stream)).rejects.toMatchObject({ code: 'data.changed' });
  },
);

it('a pass after another reads the same file, or none', async () => {
  const folder = await writeFiles({ 'a.jsonl': '{"q": 1}\n', 'b.jsonl': '{"q": 2}\n' });
  const stream = await openRows('a.jsonl', { folder });
  expect(await collect(stream)).toHaveLength(1);
  await rename(join(folder, 'b.jsonl'), join(folder, 'a.jsonl'));
  await expect(collect(stream)).rejects.toMatchObject({ code: 'data.changed' });
});

it('reads the files of a pattern one after the other, sorted', async () => {
  const folder = await writeFiles({
    'data/b.jsonl': '{"q": 3}\n',
    'data/a.jsonl': '{"q": 1}\n{"q": 2}\n',
    'data/c.csv': 'q\n4\n',
    'other.jsonl': '{"q": 0}\n',
  });
  const stream = await openRows('data/*', { folder });
  expect(await collect(stream)).toEqual([
    { id: 0, row: { q: 1 } },
    { id: 1, row: { q: 2 } },
    { id: 2, row: { q: 3 } },
    { id: 3, row: { q: '4' } },
  ]);
  expect(await stream.count()).toBe(4);
  const { files, rowsRead } = await stream.describe();
  expect(rowsRead).toBe(4);
  expect(files.map(({ name, format, bytes }) => [name, format, bytes])).toEqual([
    ['data/a.jsonl', 'jsonl', 18],
    ['data/b.jsonl', 'jsonl', 9],
    ['data/c.csv', 'csv', 4],
  ]);
  expect(files[1]?.sha256).toBe(createHash('sha256').update('{"q": 3}\n').digest('hex'));
});

it.each([
  ['data/row.jsonl', 'data.not_found', 'Did you mean `data/rows.jsonl`?'],
  ['nowhere/rows.jsonl', 'data.not_found', 'The folder does not exist either.'],
  ['data/*.csv', 'data.not_found', 'Paths are relative to /'],
  ['data', 'data.not_a_file', 'data/*.jsonl'],
  ['s3://bucket/rows.jsonl', 'data.bad_source', 'http://, https:// or hf://datasets/'],
  ['http://', 'data.bad_source', 'http://, https:// or hf://datasets/'],
  ['hf://models/owner/name', 'data.bad_source', 'hf://datasets/owner/name'],
])('refuses %s', async (source, code, hint) => {
  const folder = await writeFiles({ 'data/rows.jsonl': '{"q": 1}' });
  await expect(openRows(source, { folder })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(source),
    hint: expect.stringContaining(hint),
  });
});

it.each([
  ['rows.jsonl', 'rows.jsonl: this is a pipe'],
  ['/dev/zero', '/dev/zero: this is a device'],
])('refuses %s, which may never end', async (source, message) => {
  const folder = await makeFolder();
  execFileSync('mkfifo', [join(folder, 'rows.jsonl')]);
  await expect(openRows(source, { folder })).rejects.toMatchObject({
    code: 'data.not_a_file',
    message: expect.stringContaining(message),
    hint: expect.stringContaining('write them to a file'),
  });
});

it.skipIf(process.platform !== 'linux')('refuses what only looks like a file', async () => {
  for (const source of ['/proc/self/environ', '/proc/kmsg', '/proc/self/mount*']) {
    await expect(openRows(source)).rejects.toMatchObject({
      code: 'data.not_a_file',
      message: expect.stringContaining('a view of the system'),
    });
  }
  const folder = await writeFiles({ 'rows.jsonl': '' });
  await expect(openRows('rows.jsonl', { folder })).rejects.toMatchObject({ code: 'data.empty' });
});

it('refuses a line of more than 256 MB with its number', async () => {
  const folder = await makeFolder();
  const file = await open(join(folder, 'rows.jsonl'), 'w');
  await file.write('{"q": 1}\n{"q": "');
  await file.truncate(300 << 20);
  await file.close();
  const stream = await openRows('rows.jsonl', { folder });
  await expect(collect(stream)).rejects.toMatchObject({
    code: 'data.row_too_long',
    at: { line: 2, column: 1 },
  });
});

it.each([
  ['\uFEFF{"q": 1}', 1],
  ['\uFEFF\n{"q": 1}\r\n\r\n  {"q": 2}\n', 2],
  [`{"q": 1}\n${' '.repeat(5 << 20)}\n${' '.repeat(5 << 20)}{"q": 2}\n`, 2],
])('counts the lines of rows without reading them: %#', async (text, count) => {
  const folder = await writeFiles({ 'rows.jsonl': text });
  const stream = await openRows('rows.jsonl', { folder });
  expect(await stream.count()).toBe(count);
  expect((await stream.describe()).rowsRead).toBe(0);
});

it('closes the file when the reader stops early', async () => {
  const folder = await writeFiles({ 'rows.jsonl': '{"q": 1}\n'.repeat(300_000) });
  const stream = await openRows('rows.jsonl', { folder });
  for await (const batch of stream.batches()) {
    expect(batch.length).toBeLessThanOrEqual(1_000);
    break;
  }
  const { rowsRead } = await stream.describe();
  expect(rowsRead).toBeLessThan(300_000);
});

const layouts = {
  jsonl: { start: '', separator: '\n', end: '\n' },
  json: { start: '[', separator: ',', end: ']' },
  csv: { start: 'n,text\n', separator: '\n', end: '\n' },
};

async function writeManyRows(path: string, type: keyof typeof layouts): Promise<void> {
  const { start, separator, end } = layouts[type];
  const text = 'text '.repeat(40);
  const file = await open(path, 'w');
  for (let first = 0; first < 300_000; first += 10_000) {
    const rows = Array.from({ length: 10_000 }, (_, index) => {
      const n = first + index;
      return type === 'csv' ? `${n},${text}` : JSON.stringify({ n, text });
    });
    await file.write((first === 0 ? start : separator) + rows.join(separator));
  }
  await file.write(end);
  await file.close();
}

/** Heap in use once all garbage is gone. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

it.each(['jsonl', 'json', 'csv'] as const)('holds one batch of 300,000 %s rows', async (type) => {
  const folder = await makeFolder();
  await writeManyRows(join(folder, `rows.${type}`), type);
  const stream = await openRows(`rows.${type}`, { folder });
  const heaps: number[] = [];
  let count = 0;
  for await (const batch of stream.batches()) {
    count += batch.length;
    if (count > 50_000 + heaps.length * 200_000) heaps.push(heapBytes());
  }
  expect(count).toBe(300_000);
  const [early = 0, late = 0] = heaps;
  expect(late - early).toBeLessThan(10e6);
});

it('rows that are described while they are read are counted by the way', async () => {
  const folder = await writeFiles({ 'a.jsonl': longRows('abc') });
  const path = join(folder, 'a.jsonl');
  const { open: opens } = files;
  onTestFinished(() => {
    files.open = opens;
    syncBuiltinESMExports();
  });
  let opened = 0;
  files.open = (asked, ...rest) => {
    if (asked === path) opened += 1;
    return opens(asked, ...rest);
  };
  syncBuiltinESMExports();
  const stream = await openRows('a.jsonl', { folder, hash: true });
  const pass = stream.batches()[Symbol.asyncIterator]();
  const first = await pass.next();
  const { files: described } = await stream.describe();
  const sha256 = createHash('sha256').update(longRows('abc')).digest('hex');
  expect(described).toMatchObject([{ sha256 }]);
  let rows = first.done ? 0 : first.value.length;
  expect(await stream.count()).toBeGreaterThan(rows);
  for (let next = await pass.next(); !next.done; next = await pass.next())
    rows += next.value.length;
  expect([await stream.count(), opened]).toEqual([rows, 2]);
  await stream.close?.();
});
