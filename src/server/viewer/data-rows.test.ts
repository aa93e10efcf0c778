import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import { sampleRecord } from '../../run/store/sample-record.fixture.ts';
import { DataRows } from './data-rows.ts';
import { RowSearch } from './row-search.ts';

/** Rows of which the second half comes when it is let go. */
function heldBack(count: number) {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const rowsFrom = (start: number) =>
    Array.from({ length: count / 2 }, (_, index) => ({
      id: start + index,
      position: start + index,
      row: { name: `clerk ${start + index}` },
    }));
  const rows = {
    async *batches() {
      yield rowsFrom(0);
      await held;
      yield rowsFrom(count / 2);
    },
  };
  return { rows: rows as unknown as Evaluation['rows'], letGo };
}

test('what a list shows of a large row is known without reading the row again', async () => {
  const long = 'word '.repeat(200_000);
  const rows = {
    async *batches() {
      yield [
        { id: 0, position: 0, row: { name: 'short', level: 2 } },
        { id: 1, position: 1, row: { name: long, level: 3 } },
      ];
    },
  };
  const data = await DataRows.open({ rows: rows as unknown as Evaluation['rows'] });
  while (!data.isDone) await data.wait(20);
  const read = vi.spyOn(data, 'known');
  expect(await data.texts(0)).toEqual({ name: 'short', level: '2' });
  expect(read).toHaveBeenCalledTimes(1);
  const large = await data.texts(1);
  expect(large?.level).toBe('3');
  expect(large?.name).toMatch(/^word word .*…$/);
  expect(large?.name?.length).toBeLessThan(300);
  expect(read).toHaveBeenCalledTimes(1);
  expect(await data.texts(2)).toBeUndefined();
  await data.close();
});

test('a search finds what was read of the data while the rest is being read', async () => {
  const { rows, letGo } = heldBack(200);
  const data = await DataRows.open({ rows });
  const search = new RowSearch('CLERK 1', { logFiles: [], data });
  while (search.hits.size < 11) await search.wait(20);
  expect(search.isDone).toBe(false);
  expect(search.hits.has(10)).toBe(true);
  letGo();
  while (!search.isDone) await search.wait(20);
  expect(search.hits.size).toBe(111);
  expect(search.hits.has(199)).toBe(true);
  expect((await data.known(150))?.row).toEqual({ name: 'clerk 150' });
  await data.close();
});

test('a search ends with the data that it looks at', async () => {
  const { rows, letGo } = heldBack(20);
  const data = await DataRows.open({ rows });
  const search = new RowSearch('clerk', { logFiles: [], data });
  while (search.hits.size < 10) await search.wait(20);
  search.close();
  letGo();
  await data.close();
  while (!search.isDone) await search.wait(20);
  expect(search.hits.has(0)).toBe(true);
});

test('a search goes on where a log has grown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-search-'));
  const file = join(folder, 'log.jsonl');
  const record = (id: number) => `${JSON.stringify(sampleRecord(id, { answer: `clerk ${id}` }))}\n`;
  await writeFile(file, record(0) + record(1));
  const search = new RowSearch('Clerk', { logFiles: [file] });
  while (!search.isDone) await search.wait(20);
  expect(search.hits.size).toBe(2);
  await search.goOn();
  expect(search.isDone).toBe(true);
  await appendFile(file, record(2) + record(3).slice(0, 20));
  await search.goOn();
  while (!search.isDone) await search.wait(20);
  expect(search.hits.size).toBe(3);
  await appendFile(file, record(3).slice(20));
  await search.goOn();
  while (!search.isDone) await search.wait(20);
  expect(search.hits.size).toBe(4);
  await rm(folder, { recursive: true });
});

test('rows know their neighbours in the order of the data, and whether all of them is kept', async () => {
  const ids = [7, 3, 9, 4];
  const rows = {
    async *batches() {
      for (const [position, id] of ids.entries()) {
        yield [{ id, position, row: { n: -0, at: id === 9 ? new Date(0) : [undefined].length } }];
      }
    },
  };
  const data = await DataRows.open({ rows: rows as unknown as Evaluation['rows'] });
  expect(await data.around(undefined)).toMatchObject({ row: { id: 7, position: 0 }, next: 3 });
  expect((await data.around(undefined))?.previous).toBeUndefined();
  const found = await data.around(3);
  expect(found).toMatchObject({ previous: 7, next: 9, row: { position: 1 } });
  expect(Object.is(found?.row.row.n, -0)).toBe(true);
  expect(await data.around(4)).toEqual({
    previous: 9,
    row: { id: 4, position: 3, row: { n: -0, at: 1 } },
  });
  expect(await data.around(5)).toBeUndefined();
  expect(ids.map((id) => data.isWhole(id))).toEqual([true, true, false, true]);
  await data.close();
});

test('data that cannot be read is no data without rows', async () => {
  const rows = {
    async *batches() {
      yield [{ id: 0, position: 0, row: {} }];
      throw new Error('line 2 is torn');
    },
  };
  const data = await DataRows.open({ rows: rows as unknown as Evaluation['rows'] });
  await expect(data.around(1)).rejects.toThrow('line 2 is torn');
  await data.close();
});
