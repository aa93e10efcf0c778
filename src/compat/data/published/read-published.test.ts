import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Float, type Row } from '../../../prompt/values.ts';
import type { Component } from '../../../score/component/component.ts';
import { publishedData } from './published-data.fixture.ts';
import { datasetClasses, readPublished } from './read-published.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'published-'));
  for (const [path, text] of Object.entries(publishedData)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});
afterAll(() => rm(folder, { recursive: true }));

async function rowsOf(path: string, published: Component, split: string): Promise<Row[]> {
  const read = await readPublished({ path, published, folder, source: ['datasets', 0] });
  const rows: Row[] = [];
  for await (const batch of read.split(split, 'test_split').batches())
    rows.push(...batch.map(({ row }) => row));
  return rows;
}

function plain(value: unknown): unknown {
  if (value instanceof Float) return value.value;
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

interface Recorded {
  readonly name: string;
  readonly path: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly rows: readonly Row[] | Readonly<Record<string, readonly Row[]>>;
}

// What the original classes make of the same files.
const recorded = readFileSync(
  new URL('../../../../test/vectors/published-rows.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

test.each(recorded.map((one) => [`${one.name} ${JSON.stringify(one.settings)}`, one] as const))(
  '%s reads as the original does',
  async (_, { name, path, settings, rows }) => {
    const splits = Array.isArray(rows) ? { train: rows, test: rows } : rows;
    for (const [split, wanted] of Object.entries(splits as Record<string, readonly Row[]>)) {
      const got = await rowsOf(path, { type: name, ...settings }, split);
      expect(got).toHaveLength(wanted.length);
      for (const [index, row] of wanted.entries()) expect(plain(got[index])).toMatchObject(row);
    }
  },
);

test('the image of a row is named or held', async () => {
  const path = 'textvqa/textvqa_json/textvqa_val.jsonl';
  const [named] = await rowsOf(path, { type: 'TEXTVQADataset' }, 'test');
  expect(named?.content).toBe(
    '<AIS_IMAGE_START>textvqa_json/sign.png<AIS_CONTENT_TAG><AIS_TEXT_START>What does it say?<AIS_CONTENT_TAG>',
  );
  const [held] = await rowsOf(path, { type: 'TEXTVQADataset', image_type: 'image_base64' }, 'test');
  expect(held?.image_url).toBe(Buffer.from('not really a picture').toString('base64'));
  expect(held?.answer).toHaveLength(4);
});

test.each<[path: string, published: Component, shape: readonly string[]]>([
  ['mtbench/question.jsonl', { type: 'MTBenchDataset' }, ['question', 'answer', 'id']],
  [
    'Longbench',
    { type: 'LongBenchhotpotqaDataset', name: 'hotpotqa' },
    ['input', 'context', 'answers'],
  ],
  ['Longbench', { type: 'LongBenchtrecDataset', name: 'trec' }, ['input', 'context', 'all_labels']],
  ['Longbench', { type: 'LongBenchgov_reportDataset', name: 'gov_report' }, ['context', 'answers']],
  [
    'FewCLUE/csl/dev_few_all.json',
    { type: 'CslDataset', split: 'train' },
    ['abst', 'keyword', 'label', 'keywords'],
  ],
  ['lambada', { type: 'lambadaDataset' }, ['prompt', 'label']],
  ['Xsum', { type: 'XsumDataset' }, ['dialogue', 'summary']],
  [
    'mmlu',
    { type: 'CircularMMLUDataset', name: 'anatomy' },
    ['input', 'A', 'B', 'C', 'D', 'target'],
  ],
])('%s with %j has its columns', async (path, published, shape) => {
  const [row] = await rowsOf(path, published, 'test');
  expect(Object.keys(row ?? {})).toEqual(shape);
});

test.each<[path: string, published: Component, split: string, message: RegExp]>([
  ['nowhere', { type: 'GSM8KDataset' }, 'test', /nowhere: there is no such file/],
  ['gsm8k', { type: 'GSM8KDatset' }, 'test', /unknown type `GSM8KDatset`/],
  ['gsm8k', { type: 'GSM8KDataset' }, 'dev', /has no split `dev`/],
  ['BBH/data', { type: 'BBHDataset', name: '../../math/math' }, 'test', /is not in/],
  [
    'mmlu',
    { type: 'MMLUDataset', name: 'astronomy' },
    'test',
    /astronomy_dev\.csv: there is no such file/,
  ],
  ['SuperGLUE/BoolQ/val.jsonl', { type: 'CBDatasetV2' }, 'test', /`true` is none of/],
])('%s with %j says what is wrong', async (path, published, split, message) => {
  await expect(rowsOf(path, published, split)).rejects.toThrow(message);
});

test('what was read is recorded', async () => {
  const published = { type: 'GSM8KDataset' };
  const read = await readPublished({ path: 'gsm8k', published, folder, source: [] });
  const { files } = await read.split('test', 'test_split').describe();
  expect(files.map(({ name }) => name)).toEqual(
    ['train', 'test'].map((split) => join(folder, `gsm8k/${split}.jsonl`)),
  );
});

test('all classes have a place of their files', () => {
  expect(Object.keys(datasetClasses).length).toBeGreaterThan(110);
});
