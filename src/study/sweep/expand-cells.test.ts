import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SweepAxes } from './axes.ts';
import { expandCells } from './expand-cells.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-sweep-'));
  const versions = (...names: string[]) =>
    Object.fromEntries(
      names.map((name) => [name, { prompt_template: { template: `${name} {q}` } }]),
    );
  const task = (name: string, ...names: string[]) =>
    writeFile(join(folder, name), JSON.stringify({ versions: versions(...names) }));
  await task('first.yaml', '0.1', '0.1.2', '0.2');
  await task('second.yaml', '0.1', '0.3');
  await task('third.yaml', '0.3');
});
afterAll(() => rm(folder, { recursive: true }));

const data = { abbr: 'd', path: 'd.jsonl', reader_cfg: { output_column: 'a' } };
const expand = (entries: readonly object[], axes: SweepAxes, sameTemplate = false) =>
  expandCells(entries as never, axes, { folder, sameTemplate });

test('every combination of all axes, templates slowest, named by its values', async () => {
  const cells = await expand([{ task: 'arithmetic' }], {
    templates: ['equation', 'tight'],
    shots: [0, 2],
    seeds: [7],
    meta_templates: ['own', 'chatml'],
  });
  expect(cells.map(({ abbr }) => abbr)).toEqual([
    'arithmetic.equation.0-shot.seed-7.own',
    'arithmetic.equation.0-shot.seed-7.chatml',
    'arithmetic.equation.2-shot.seed-7.own',
    'arithmetic.equation.2-shot.seed-7.chatml',
    'arithmetic.tight.0-shot.seed-7.own',
    'arithmetic.tight.0-shot.seed-7.chatml',
    'arithmetic.tight.2-shot.seed-7.own',
    'arithmetic.tight.2-shot.seed-7.chatml',
  ]);
  expect(cells[3]).toMatchObject({
    dataset: 'arithmetic',
    settings: { template: 'equation', shots: '2', seed: '7', format: 'chatml' },
    metaTemplate: 'chatml',
    entry: {
      task: 'arithmetic',
      version: 'equation',
      infer_cfg: { retriever: { type: 'RandomRetriever', ice_num: 2, seed: 7 } },
    },
  });
  expect(cells[2]).not.toHaveProperty('metaTemplate');
  expect(cells[0]?.entry.infer_cfg).toEqual({ retriever: { type: 'ZeroRetriever' } });
});

test('`all` is every version; a version of its own does not stay', async () => {
  const entry = { task: 'first.yaml', version: '0.2', version_hash: 'x', path: 'd.jsonl' };
  const cells = await expand([entry], { templates: 'all' });
  expect(cells.map(({ entry: { version } }) => version)).toEqual(['0.1', '0.1.2', '0.2']);
  expect(cells.every(({ entry: own }) => !('version_hash' in own))).toBe(true);
});

test('templates come from files and from the config itself, in place of those of the dataset', async () => {
  const entry = { ...data, infer_cfg: { prompt_template: { template: 'old' }, inferencer: 1 } };
  const named = { name: 'mine', prompt_template: { template: 'new' } };
  const cells = await expand([entry], { templates: ['second.yaml', named] });
  expect(cells.map(({ settings, entry: own }) => [settings.template, own.infer_cfg])).toEqual([
    ['0.1', { inferencer: 1, prompt_template: { template: '0.1 {q}' } }],
    ['0.3', { inferencer: 1, prompt_template: { template: '0.3 {q}' } }],
    ['mine', { inferencer: 1, prompt_template: { template: 'new' } }],
  ]);
  expect(cells[2]?.from).toEqual({ entry: 0, template: 1 });
});

test('without axes a dataset is one cell, as it is written', async () => {
  const entry = { ...data, infer_cfg: { prompt_template: { template: 'old' } } };
  const cells = await expand([entry], {});
  expect(cells).toEqual([{ dataset: 'd', abbr: 'd', settings: {}, entry, from: { entry: 0 } }]);
});

test('one template for all: those that every task has, or what stands in for them', async () => {
  const tasks = [{ task: 'first.yaml' }, { task: 'second.yaml' }];
  const common = await expand(tasks, { templates: 'all' }, true);
  expect(common.map(({ abbr }) => abbr)).toEqual(['first.0.1', 'second.0.1']);
  const named = await expand(tasks, { templates: ['0.1.2'] }, true);
  expect(named.map(({ settings, entry }) => [settings.template, entry.version])).toEqual([
    ['0.1.2', '0.1.2'],
    ['0.1.2', '0.1'],
  ]);
});

test.each([
  [{ type: 'FixKRetriever', fix_id_list: [5, 3, 1] }, { fix_id_list: [5, 3] }],
  [{ type: 'FixKRetriever' }, { fix_id_list: [0, 1] }],
  [
    { type: 'BM25Retriever', columns: ['q'] },
    { ice_num: 2, columns: ['q'] },
  ],
  [
    { type: 'ZeroRetriever', ice_separator: '\n\n' },
    { type: 'RandomRetriever', ice_num: 2 },
  ],
])('two examples of %j', async (retriever, expected) => {
  const [cell] = await expand([{ ...data, infer_cfg: { retriever } }], { shots: [2] });
  expect(cell?.entry.infer_cfg).toEqual({ retriever: { ...retriever, ...expected } });
});

test('retrievers of one type are told apart, and no examples keep their layout', async () => {
  const entry = { ...data, infer_cfg: { retriever: { type: 'X', ice_separator: '|' } } };
  const cells = await expand([entry], {
    retrievers: ['BM25Retriever', { type: 'BM25Retriever', columns: ['q'] }],
    shots: [0],
  });
  expect(cells.map(({ settings }) => settings.retriever)).toEqual([
    'BM25Retriever',
    'BM25Retriever 2',
  ]);
  expect(cells[0]?.entry.infer_cfg).toEqual({
    retriever: { type: 'ZeroRetriever', ice_separator: '|' },
  });
});

test('examples in several forms: the templates stay as they are', async () => {
  const axes: SweepAxes = { shots_as: ['turns', 'text', 'system'] };
  const text = { template: '</E>Q: {q}\nA: {a}', ice_token: '</E>' };
  const cells = await expand([{ ...data, infer_cfg: { ice_template: text } }], axes);
  expect(cells.map(({ entry }) => entry.infer_cfg)).toEqual(
    ['turns', 'text', 'system'].map((shots_as) => ({ ice_template: text, shots_as })),
  );
});

test('orders of options, with where they are found', async () => {
  const cells = await expand([{ task: 'multiple-choice' }], {
    templates: ['letter'],
    option_orders: ['original', 'rotations', 2],
  });
  expect(cells.map(({ settings, order }) => [settings.option_order, order?.rotation])).toEqual([
    ['original', 0],
    ['moved 1', 1],
    ['moved 2', 2],
    ['moved 3', 3],
  ]);
  expect(cells[1]?.order).toMatchObject({
    textColumns: ['A', 'B', 'C', 'D'],
    goldColumn: 'answer',
  });
});

test.each<[SweepAxes, string, RegExp]>([
  [{ shots: [] }, 'sweep.empty_axis', /`shots` has no values/],
  [{ shots: [1, 1] }, 'sweep.repeated_value', /1 twice/],
  [{ templates: ['equatoin'] }, 'sweep.unknown_template', /no template `equatoin`/],
  [{ option_orders: ['original'] }, 'sweep.option_orders', /does not say where/],
  [{ seeds: [1, 2] }, 'sweep.no_examples', /the prompts have none/],
  [{ retrievers: ['ZeroRetriever'], shots: [0, 2] }, 'sweep.too_few_shots', /cannot give 2/],
  [
    { templates: ['equation', { name: 'equation', prompt_template: { template: 'x' } }] },
    'sweep.repeated_value',
    /two templates named `equation`/,
  ],
  [
    {
      templates: ['a b', 'a-b'].map((name) => ({ name, prompt_template: { template: 'x' } })),
    },
    'sweep.repeated_value',
    /named `a-b`/,
  ],
  [
    { retrievers: [{ type: 'FixKRetriever', fix_id_list: [1] }], shots: [2] },
    'sweep.too_few_shots',
    /names 1 rows/,
  ],
])('refuses %j', async (axes, code, message) => {
  await expect(expand([{ task: 'arithmetic' }], axes)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

test('refuses what has no common template', async () => {
  const tasks = [{ task: 'first.yaml' }, { task: 'third.yaml' }];
  await expect(expand(tasks, { templates: 'all' }, true)).rejects.toMatchObject({
    code: 'sweep.no_common_template',
  });
});
