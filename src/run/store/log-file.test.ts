import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppendLog, type Positioned, readLineAt, readLog } from './log-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-log-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readAll(file: string) {
  const records: Positioned<unknown>[] = [];
  const batches = readLog(file);
  let next = await batches.next();
  for (; !next.done; next = await batches.next()) records.push(...next.value);
  return { records, end: next.value };
}

it('is empty where there is no file', async () => {
  expect(await readAll(join(folder, 'none.jsonl'))).toEqual({ records: [], end: 0 });
});

it('goes on after the last whole line, wherever a crash has cut', async () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(), async (values, cut) => {
      const file = join(folder, 'cut.jsonl');
      const log = await AppendLog.open<string>(file, 0);
      const places = values.map((value) => log.append(value));
      await log.close();
      const bytes = await readFile(file);
      await writeFile(file, bytes.subarray(0, cut % (bytes.length + 1)));
      const { records, end } = await readAll(file);
      const whole = values.slice(0, records.length);
      expect(records).toEqual(
        whole.map((record, index) => ({ record, offset: places[index], line: index + 1 })),
      );
      const again = await AppendLog.open<string>(file, end);
      for (const value of values.slice(records.length)) again.append(value);
      await again.close();
      expect(await readFile(file)).toEqual(bytes);
    }),
  );
});

it('leaves damaged lines out and keeps what follows', async () => {
  const file = join(folder, 'damaged.jsonl');
  await writeFile(file, '1\n\0\0\n{"a":\n\nnull\n2\n{"half":');
  expect(await readAll(file)).toEqual({
    records: [
      { record: 1, offset: 0, line: 1 },
      { record: 2, offset: 17, line: 6 },
    ],
    end: 19,
  });
});

it('reads any record at its place, written out or not, however long', async () => {
  const log = await AppendLog.open<string>(join(folder, 'places.jsonl'), 0);
  const values = ['a', '日'.repeat(700_000), 'b', 'x'.repeat(100_000), ''];
  const places = values.map((value) => log.append(value));
  for (const [index, value] of values.entries()) {
    expect(await log.read(places[index] ?? 0)).toBe(value);
  }
  await log.close();
  const { records } = await readAll(join(folder, 'places.jsonl'));
  expect(records.map(({ record }) => record)).toEqual(values);
});

it('refuses a file that cannot be written', async () => {
  await expect(AppendLog.open(join(folder, 'no', 'such.jsonl'), 0)).rejects.toMatchObject({
    code: 'run.not_written',
    hint: expect.stringContaining('disk space'),
  });
});

it('reads short lines and very long ones, one after another', async () => {
  const file = join(folder, 'long.jsonl');
  const lengths = [10, 300_000, 5, 9_000_000, 1 << 17, (1 << 17) - 3, 4_200_000, 0, 700_000, 1];
  const texts = lengths.map((length, at) => `${at}${'é'.repeat(length / 2)}`);
  const log = await AppendLog.open<string>(file, 0);
  const places = texts.map((text) => log.append(text));
  await log.close();
  const { records } = await readAll(file);
  expect(records.map(({ offset, line }) => [offset, line])).toEqual(
    places.map((offset, at) => [offset, at + 1]),
  );
  expect(records.every(({ record }, at) => record === texts[at])).toBe(true);
  const handle = await open(file);
  const lines = await Promise.all(places.map((place) => readLineAt(handle, place)));
  await handle.close();
  expect(lines.every((line, at) => JSON.parse(String(line)) === texts[at])).toBe(true);
});
