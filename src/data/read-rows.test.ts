import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Float } from '../prompt/index.ts';
import { readRows } from './read-rows.ts';

async function read(name: string, text: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'rows-')), name);
  await writeFile(file, text);
  return readRows(file);
}

it.each([
  ['rows.jsonl', '\uFEFF{"q": 1}\r\n\n{"q": 2}\n'],
  ['rows.json', '[{"q": 1}, {"q": 2}]'],
])('reads %s', async (name, text) => {
  expect(await read(name, text)).toEqual([
    { id: 0, row: { q: 1 } },
    { id: 1, row: { q: 2 } },
  ]);
});

it('keeps numbers as they were written', async () => {
  const [named] = await read(
    'rows.jsonl',
    '{"a": 1.0, "b": [1e3, 0.5], "c": 12345678901234567890}',
  );
  expect(named?.row).toEqual({
    a: new Float(1),
    b: [new Float(1000), 0.5],
    c: 12345678901234567890n,
  });
});

it.each([
  ['rows.jsonl', '{"q": 1}\n{"q": }', 'data.syntax', { line: 2, column: 7 }],
  ['rows.json', '[{"q": 1},\n {"q" 2}]', 'data.syntax', { line: 2, column: 7 }],
  ['rows.jsonl', '{"q": 1}\n[1]', 'data.not_a_row', { line: 2, column: 1 }],
  ['rows.json', '{"q": 1}', 'data.not_a_list', { line: 1, column: 1 }],
])('%s holding %j', async (name, text, code, place) => {
  await expect(read(name, text)).rejects.toMatchObject({ code, at: place });
});

it('names a file that is not there', async () => {
  await expect(readRows('/nowhere/rows.jsonl')).rejects.toMatchObject({ code: 'data.not_found' });
});
