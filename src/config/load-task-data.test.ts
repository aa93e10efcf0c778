import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadText } from '../../test/fixtures/config/write-config.ts';
import type { TaskData } from '../infer/task-prompts.ts';
import { loadTaskData } from './load-task-data.ts';
import { parseConfig } from './parse-config.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-rows-'));
  const lines = (...names: string[]) => names.map((q) => `${JSON.stringify({ q })}\n`).join('');
  await writeFile(join(folder, 'all.jsonl'), lines('a', 'b', 'c', 'd', 'e'));
  await writeFile(join(folder, 'train.jsonl'), lines('x', 'y'));
  return () => rm(folder, { recursive: true });
});

interface Settings {
  readonly reader?: string;
  readonly retriever?: string;
  readonly compat?: 'opencompass';
}

async function load(rows: string, settings: Settings = {}): Promise<TaskData> {
  const { reader = '', retriever = '{ type: FixKRetriever, fix_id_list: [0] }', compat } = settings;
  const text = `
datasets:
  - abbr: d
    ${rows}
    reader_cfg: { input_columns: [q], output_column: null, ${reader} }
    infer_cfg: { prompt_template: { template: "{q}" }, retriever: ${retriever} }
`;
  const [dataset] = parseConfig(await loadText('c.yaml', text)).datasets;
  if (!dataset) throw new Error('no data set');
  return loadTaskData({ file: join(folder, 'c.yaml'), compat }, dataset);
}

const plain = (rows: TaskData['test']) => rows.map(({ id, row }) => `${id}${row.q}`).join(' ');

test.each([
  ['path: all.jsonl', 'test_range: "[2:4]", train_range: 2', '2c 3d', '0a 1b'],
  ['path: { train: train.jsonl, test: all.jsonl }', 'test_range: 0.3', '0a 1b', '0x 1y'],
  ['path: { dev: train.jsonl }', 'train_split: dev, test_split: dev', '0x 1y', '0x 1y'],
  ['rows: [{ q: i }]', '', '0i', '0i'],
  ['rows: { train: [{ q: s }], test: [{ q: t }] }', '', '0t', '0s'],
])('%s with %j', async (rows, reader, testRows, trainRows) => {
  const { test: tested, train } = await load(rows, { reader });
  expect([plain(tested), plain(train)]).toEqual([testRows, trainRows]);
});

test('a row of a shared file is the same row on both sides', async () => {
  const { test: tested, train } = await load('path: all.jsonl');
  expect(tested[3]?.row).toBe(train[3]?.row);
});

test('a count draws at random where the other system does', async () => {
  const reader = 'test_range: 3';
  expect(plain((await load('path: all.jsonl', { reader })).test)).toBe('0a 1b 2c');
  const compat = 'opencompass';
  expect(plain((await load('path: all.jsonl', { reader, compat })).test)).toBe('0a 2c 3d');
});

test('without examples the train split is not needed', async () => {
  const data = await load('path: { test: all.jsonl }', { retriever: '{ type: ZeroRetriever }' });
  expect([plain(data.test), plain(data.train)]).toEqual(['0a 1b 2c 3d 4e', '']);
});

test.each([
  [
    'path: { tests: all.jsonl }',
    '',
    'data.unknown_split',
    'reader_cfg.test_split',
    'Did you mean `tests`? Splits: tests.',
  ],
  [
    'path: { test: all.jsonl }',
    '',
    'data.unknown_split',
    'reader_cfg.train_split',
    'Splits: test.',
  ],
  ['path: no.jsonl', '', 'data.not_found', 'path', 'relative to /'],
  ['path: { test: all.jsonl, train: no.jsonl }', '', 'data.not_found', 'path.train', 'relative'],
  ['path: all.jsonl', 'test_range: "[a]"', 'data.bad_range', 'reader_cfg.test_range', 'slices'],
  ['path: all.jsonl', 'train_range: -2', 'data.bad_range', 'reader_cfg.train_range', 'share'],
])('%s with %j is refused as %s', async (rows, reader, code, path, hint) => {
  const error = await load(rows, { reader }).catch((thrown) => thrown);
  expect([error.code, error.path.slice(2).join('.')]).toEqual([code, path]);
  expect(error.hint).toContain(hint);
});
