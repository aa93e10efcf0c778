import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
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

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const image = `data:image/png;base64,${png.toString('base64')}`;
const base64 = png.toString('base64').padEnd(72, 'A');
const held = `data:image/png;base64,${Buffer.from(base64, 'base64').toString('base64')}`;

async function writeTable(path: string, rows: readonly Readonly<Record<string, string>>[]) {
  const [first = {}] = rows;
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row))];
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), lines.map((line) => `${line.join('\t')}\n`).join(''));
}

async function writeParquet(path: string, columns: Readonly<Record<string, readonly unknown[]>>) {
  const columnData = Object.entries(columns).map(([name, data]) => ({
    name,
    data: [...data],
    type: data[0] instanceof Uint8Array ? ('BYTE_ARRAY' as const) : ('STRING' as const),
  }));
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), Buffer.from(parquetWriteBuffer({ columnData })));
}

test('tables of questions with images hold the image itself', async () => {
  const common = { index: '7', image: base64, answer: 'B', category: 'art' };
  await writeTable('mmstar/MMStar.tsv', [{ ...common, question: 'Which?', A: 'x', B: 'y', C: '' }]);
  const [star] = await rowsOf('mmstar/MMStar.tsv', { type: 'MMStarDataset' }, 'test');
  expect(star?.content).toBe(
    `<AIS_IMAGE_START>${held}<AIS_CONTENT_TAG><AIS_TEXT_START>Which?Options:\nA. x\nB. y\nPlease select the correct answer from the options above. \n<AIS_CONTENT_TAG>`,
  );
  expect(star?.answer).toMatchObject({ choices: '{"A":"x","B":"y"}', answer: 'B' });
  await writeTable('mmmu_pro/MMMU_Pro_10c.tsv', [
    { ...common, question: 'See <image 1> now', A: 'x', B: 'y' },
    { ...common, index: '8', image: '7', question: 'Again', A: 'x', B: 'y' },
  ]);
  const path = 'mmmu_pro/MMMU_Pro_10c.tsv';
  const [inside, again] = await rowsOf(path, { type: 'MMMUProOptions10Dataset' }, 'test');
  expect(inside?.content).toContain(
    `Question: See <AIS_CONTENT_TAG><AIS_IMAGE_START>${held}<AIS_CONTENT_TAG><AIS_TEXT_START> now\nOptions:\nA. x`,
  );
  expect(inside?.answer).toBe('[{"A":"x","B":"y"},"B","art"]');
  expect(again?.content).toContain(`<AIS_IMAGE_START>${held}`);
});

test('files of questions with images hold the image itself', async () => {
  await writeParquet('mmmu/Art/validation-00000-of-00001.parquet', {
    question: ['What is in <image 1>?', 'Name it'],
    options: ["['a', 'b']", '[]'],
    question_type: ['multiple-choice', 'open'],
    answer: ['B', 'x'],
    image_1: [png, png],
  });
  const published = {
    type: 'MMMUDataset',
    mult_choice_prompt: '{letters}: {question}\n{choices}',
    open_prompt: 'Say: {question}',
  };
  const [choice, open] = await rowsOf('mmmu', published, 'test');
  expect(choice?.content).toBe(
    `<AIS_TEXT_START>A,B: What is in <AIS_CONTENT_TAG><AIS_IMAGE_START>${image}<AIS_CONTENT_TAG><AIS_TEXT_START>?\nA) a\nB) b<AIS_CONTENT_TAG>`,
  );
  expect(choice?.answer).toMatchObject({ type: 'multiple-choice', answer: 'B', subject: 'Art' });
  expect(open?.content).toBe(
    `<AIS_IMAGE_START>${image}<AIS_CONTENT_TAG><AIS_TEXT_START>Say: Name it<AIS_CONTENT_TAG>`,
  );
  await writeParquet('RealworldQA/data/test-00000-of-00001.parquet', {
    question: ['Where?'],
    answer: ['here'],
    image: [png],
  });
  const [seen] = await rowsOf('RealworldQA/data', { type: 'RealworldQADataset' }, 'test');
  expect(seen?.content).toMatch(/^<AIS_TEXT_START>Read the picture/);
  expect(String(seen?.content)).toContain(`<AIS_IMAGE_START>${image}`);
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
  ['nowhere', { type: 'GSM8KDataset' }, 'test', /nowhere: file not found/],
  ['gsm8k', { type: 'GSM8KDatset' }, 'test', /unknown type `GSM8KDatset`/],
  ['gsm8k', { type: 'GSM8KDataset' }, 'dev', /has no split `dev`/],
  ['BBH/data', { type: 'BBHDataset', name: '../../math/math' }, 'test', /is not in/],
  [
    'mmlu',
    { type: 'MMLUDataset', name: 'astronomy' },
    'test',
    /astronomy_dev\.csv: file not found/,
  ],
  ['SuperGLUE/BoolQ/val.jsonl', { type: 'CBDatasetV2' }, 'test', /`true` is not one of/],
  ['gsm8k/test.jsonl', { type: 'MTBenchDataset' }, 'test', /no questions in `prompt`/],
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
