import files, { readdir, readlink } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Compat } from '../compat/compat.ts';
import type { OwnDatasetInput } from '../config/config-input.ts';
import { parseConfig } from '../config/load-config.ts';
import { collect, writeFiles } from '../data/test-sources.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import { openEvaluations } from './open-evaluations.ts';
import { openTaskRows, type RowOptions, type TaskRows } from './open-rows.ts';

type DatasetInput = OwnDatasetInput;
type Reader = Partial<DatasetInput['reader_cfg']>;

interface Settings extends Partial<Pick<DatasetInput, 'type'>> {
  readonly reader?: Reader;
  readonly retriever?: NonNullable<DatasetInput['infer_cfg']['retriever']>;
  readonly inferencer?: NonNullable<DatasetInput['infer_cfg']['inferencer']>;
  readonly compat?: Compat;
  readonly selection?: RowOptions['selection'];
  readonly files?: Readonly<Record<string, string>>;
}

const lines = (...names: string[]) => names.map((q) => `${JSON.stringify({ q })}\n`).join('');
const usual = {
  'all.jsonl': lines('a', 'b', 'c', 'd', 'e'),
  'train.jsonl': lines('x', 'y'),
};

type Source = Pick<DatasetInput, 'path' | 'rows'>;

function datasetOf(source: Source, { type, reader, retriever, inferencer }: Settings) {
  return {
    abbr: 'd',
    ...(type !== undefined && { type }),
    ...source,
    reader_cfg: { input_columns: ['q'], output_column: null, ...reader },
    infer_cfg: {
      ice_template: { template: '</E>{q}', ice_token: '</E>' },
      retriever: retriever ?? { type: 'FixKRetriever' as const, fix_id_list: [0] },
      ...(inferencer && { inferencer }),
    },
  } satisfies DatasetInput;
}

async function load(source: Source, settings: Settings = {}): Promise<TaskRows> {
  const { compat, selection = {}, files = usual } = settings;
  const folder = await writeFiles(files);
  const config = await parseConfig({ datasets: [datasetOf(source, settings)] }, { folder });
  const [dataset] = config.datasets;
  if (!dataset) throw new Error('no dataset');
  const rows = await openTaskRows(config, dataset, { compat, selection });
  onTestFinished(() => rows.stream.close?.());
  return rows;
}

const plain = (rows: readonly NamedRow[]) => rows.map(({ id, row }) => `${id}${row.q}`).join(' ');
const asked = async ({ stream }: TaskRows) => plain(await collect(stream));
/** Position, id and text. */
const placed = async ({ stream }: TaskRows) =>
  ((await collect(stream)) as PositionedRow[])
    .map(({ position, id, row }) => `${position}:${id}${row.q}`)
    .join(' ');

it.each<[Source, Reader, string, string]>([
  [{ path: 'all.jsonl' }, { test_range: '[2:4]', train_range: 2 }, '2c 3d', '0a 1b'],
  [{ path: { train: 'train.jsonl', test: 'all.jsonl' } }, { test_range: 0.3 }, '0a 1b', '0x 1y'],
  [{ path: { dev: 'train.jsonl' } }, { train_split: 'dev', test_split: 'dev' }, '0x 1y', '0x 1y'],
  [{ path: 'all.jsonl' }, { test_range: '[-2:]' }, '3d 4e', '0a 1b 2c 3d 4e'],
  [{ path: 'all.jsonl' }, { test_range: '[::-2]' }, '4e 2c 0a', '0a 1b 2c 3d 4e'],
  [{ rows: [{ q: 'i' }] }, {}, '0i', '0i'],
  [{ rows: { train: [{ q: 's' }], test: [{ q: 't' }] } }, {}, '0t', '0s'],
])('%j with %j', async (source, reader, testRows, trainRows) => {
  const rows = await load(source, { reader });
  expect([await asked(rows), plain(rows.pool)]).toEqual([testRows, trainRows]);
  expect(await asked(rows)).toBe(testRows);
  expect(await rows.stream.count()).toBe(testRows.split(' ').length);
});

describe('a count', () => {
  const reader = { test_range: 3, train_range: 2 };
  const source = { path: 'all.jsonl' };

  it('takes the first rows', async () => {
    const rows = await load(source, { reader });
    expect([await asked(rows), plain(rows.pool)]).toEqual(['0a 1b 2c', '0a 1b']);
  });

  it.each(['opencompass', 'aisbench'] as const)('draws at random in %s', async (compat) => {
    const rows = await load(source, { reader, compat });
    expect([await asked(rows), plain(rows.pool)]).toEqual(['0a 2c 3d', '2c 1b']);
    expect(await rows.stream.count()).toBe(3);
    expect((await rows.stream.describe()).files).toMatchObject([{ format: 'jsonl' }]);
  });

  it('does so for the models that ask by those rules alone', async () => {
    const folder = await writeFiles(usual);
    const prompts = { retriever: { type: 'ZeroRetriever' as const }, reader };
    const config = await parseConfig(
      {
        models: [{ abbr: 'own' }, { abbr: 'theirs', compat: 'opencompass' }],
        datasets: [datasetOf(source, prompts)],
      },
      { folder },
    );
    await using evaluations = await openEvaluations(config, { purpose: 'view' });
    const rows = await Promise.all(
      evaluations.map(async (each) => plain(await collect(each.rows))),
    );
    expect(rows).toEqual(['0a 1b 2c', '0a 2c 3d']);
  });
});

describe('positions', () => {
  it.each<[Compat | undefined, Reader, RowOptions['selection'], string]>([
    [undefined, {}, {}, '0:0a 1:1b 2:2c 3:3d 4:4e'],
    [undefined, { test_range: '[1:]' }, { ids: new Set([2, 4]) }, '1:2c 3:4e'],
    [undefined, { test_range: '[1:]' }, { where: "q > 'b'", limit: 2 }, '1:2c 2:3d'],
    [undefined, { test_range: '[::-1]' }, { limit: 2 }, '0:4e 1:3d'],
    [undefined, { test_range: '[-3:]' }, { ids: new Set([4]) }, '2:4e'],
    ['opencompass', {}, { ids: new Set([3]) }, '3:3d'],
    ['opencompass', { test_range: 3 }, {}, '0:0a 1:2c 2:3d'],
    ['opencompass', { test_range: 3 }, { ids: new Set([3]) }, '2:3d'],
    ['aisbench', { test_range: '[1:]' }, { where: "q == 'd'" }, '2:3d'],
    ['aisbench', { test_range: 3 }, { limit: 1 }, '0:0a'],
  ])('compat %s, %j, %j', async (compat, reader, selection, expected) => {
    const rows = await load(
      { path: 'all.jsonl' },
      { reader, selection, ...(compat && { compat }) },
    );
    expect(await placed(rows)).toBe(expected);
  });

  it('draw the examples of other systems, whatever rows are selected', async () => {
    const folder = await writeFiles(usual);
    const config = await parseConfig(
      {
        compat: 'opencompass',
        models: [{ abbr: 'm' }],
        datasets: [
          datasetOf(
            { path: 'all.jsonl' },
            {
              reader: { output_column: 'q', test_range: '[1:]' },
              retriever: { type: 'SlidingWindowRetriever' as const, k: 2 },
            },
          ),
        ],
      },
      { folder },
    );
    const shotsOf = async (selection: object) => {
      await using evaluations = await openEvaluations(config, { purpose: 'view', ...selection });
      const shots = new Map<unknown, unknown>();
      for await (const batch of evaluations[0]?.rows.batches() ?? []) {
        for (const row of batch) {
          const { requests } = (await evaluations[0]?.plan(row)) ?? {};
          shots.set(row.id, requests?.[0]?.shots);
        }
      }
      return shots;
    };
    const all = await shotsOf({});
    expect([...all.keys()]).toEqual([1, 2, 3, 4]);
    expect(new Set([...all.values()].map((shots) => JSON.stringify(shots))).size).toBe(4);
    expect([...(await shotsOf({ ids: new Set([3]) }))]).toEqual([[3, all.get(3)]]);
    expect([...(await shotsOf({ where: "q == 'e'" }))]).toEqual([[4, all.get(4)]]);
  });
});

it('a row of a shared file is told to be the same row on both sides', async () => {
  const folder = await writeFiles(usual);
  const config = await parseConfig(
    { datasets: [datasetOf({ path: 'all.jsonl' }, {})] },
    { folder },
  );
  await using evaluations = await openEvaluations(config, { purpose: 'view' });
  const [evaluation] = evaluations;
  if (!evaluation) throw new Error('no evaluation');
  const leaks: unknown[] = [];
  for await (const batch of evaluation.rows.batches()) {
    for (const row of batch) leaks.push((await evaluation.plan(row)).requests[0]?.leak);
  }
  expect(leaks).toEqual(['retrieve.leak_same_row', undefined, undefined, undefined, undefined]);
});

it('without examples the train split is not needed', async () => {
  const rows = await load(
    { path: { test: 'all.jsonl' } },
    { retriever: { type: 'ZeroRetriever' as const } },
  );
  expect([await asked(rows), rows.pool]).toEqual(['0a 1b 2c 3d 4e', []]);
});

describe('samples', () => {
  const labelled = ['b', 'a', 'b', 'c', 'a'].map((a, id) => ({ q: `${id}`, a }));
  const reader = { output_column: 'a' };

  it.each([
    ['the first row', 'GenInferencer', undefined, {}, '0'],
    ['the first of each label', 'PPLInferencer', undefined, {}, '0 1 3'],
    ['the first of each label, selected or not', 'LLInferencer', undefined, { limit: 2 }, '0 1 3'],
    ['the first of each gold answer', 'PPLInferencer', ['a', 'b'], {}, '0 1 3'],
  ] as const)('are %s', async (_, type, labels, selection, expected) => {
    const inferencer = { type, ...(labels && { labels: [...labels] }) };
    const rows = await load({ rows: labelled }, { reader, inferencer, selection });
    expect(rows.samples.map(({ row }) => row.q).join(' ')).toBe(expected);
    expect(await collect(rows.stream)).toHaveLength('limit' in selection ? 2 : 5);
  });
});

describe('custom text', () => {
  const rows = { path: 'c.csv' };
  const settings = (meta: object) => ({
    type: 'CustomText',
    retriever: { type: 'ZeroRetriever' as const },
    files: { 'c.csv': 'q,max_tokens\na,5\nb,\n', 'c.csv.meta.json': JSON.stringify(meta) },
  });

  it('is asked as its settings say, and numbered anew', async () => {
    const loaded = await load(rows, settings({ request_count: 5 }));
    expect(await placed(loaded)).toBe('0:0a 1:1b 2:2a 3:3b 4:4a');
    expect(await loaded.stream.count()).toBe(5);
    const limits = (await collect(loaded.stream)).map(({ row }) => row.max_out_len);
    expect(limits).toEqual([5, undefined, 5, undefined, 5]);
  });

  it('without a type is a file like others', async () => {
    const { type: _, ...plainFile } = settings({ request_count: 5 });
    expect(await asked(await load(rows, plainFile))).toBe('0a 1b');
  });

  it('with settings that cannot be read is refused', async () => {
    await expect(load(rows, settings({ request_counts: 5 }))).rejects.toMatchObject({
      code: 'data.unknown_key',
    });
  });
});

describe('dialogues', () => {
  const said = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'ho' },
    { role: 'user', content: 'on' },
  ];
  const reader = { input_columns: ['question'], output_column: 'answer' };
  const expected = { question: ['hi', 'on'], answer: ['ho', ''] };

  it.each<[string, Source]>([
    ['in a file', { path: 'd.jsonl' }],
    ['in the config', { rows: [{ messages: said }] }],
    ['in splits', { rows: { train: [{ messages: said }], test: [{ messages: said }] } }],
  ])('%s become lists', async (_, source) => {
    const files = { 'd.jsonl': JSON.stringify({ messages: said }) };
    const rows = await load(source, { type: 'MessagesDataset', reader, files });
    expect(await collect(rows.stream)).toMatchObject([{ id: 0, row: expected }]);
    expect(rows.pool).toMatchObject([{ id: 0, row: expected }]);
  });
});

it.each<[Source, Reader, string, string, string]>([
  [
    { path: { tests: 'all.jsonl', train: 'train.jsonl' } },
    {},
    'data.unknown_split',
    'reader_cfg.test_split',
    'Did you mean `tests`? Splits: tests, train.',
  ],
  [
    { path: { test: 'all.jsonl' } },
    {},
    'data.unknown_split',
    'reader_cfg.train_split',
    'Splits: test.',
  ],
  [
    { rows: { tests: [], train: [] } },
    {},
    'data.unknown_split',
    'reader_cfg.test_split',
    'Did you mean `tests`? Splits: tests, train.',
  ],
  [{ path: 'no.jsonl' }, {}, 'data.not_found', 'path', 'relative to /'],
  [
    { path: { test: 'all.jsonl', train: 'no.jsonl' } },
    {},
    'data.not_found',
    'path.train',
    'relative',
  ],
  [{ path: 'all.jsonl' }, { test_range: '[a]' }, 'data.bad_range', 'reader_cfg.test_range', 'slic'],
  [{ path: 'all.jsonl' }, { train_range: -2 }, 'data.bad_range', 'reader_cfg.train_range', 'share'],
])('%j with %j is refused as %s', async (source, reader, code, path, hint) => {
  const error = await load(source, { reader }).catch((thrown) => thrown);
  expect([error.code, error.path.slice(2).join('.')]).toEqual([code, path]);
  expect(error.hint).toContain(hint);
});

it.each<[Compat | undefined, Reader]>([
  [undefined, { train_range: 5 }],
  [undefined, { train_range: '[-2:]', test_range: '[-2:]' }],
  ['opencompass', { train_range: 3, test_range: 3 }],
])('a broken file is not the fault of a range: compat %s, %j', async (compat, reader) => {
  const files = { 'all.csv': 'q\na\nb,c\nd\n' };
  const error = load({ path: 'all.csv' }, { reader, files, ...(compat && { compat }) });
  const isRange = expect.arrayContaining([expect.stringContaining('_range')]);
  await expect(error).rejects.toMatchObject({ code: 'data.syntax' });
  await expect(error).rejects.not.toMatchObject({ path: isRange });
});

it.each<[Reader['train_range'], string]>([
  ['[1:3]', '1b 2c'],
  ['[::-2]', '4e 2c 0a'],
  ['[-2:]', '3d 4e'],
  [0.4, '0a 1b'],
  [99, '0a 1b 2c 3d 4e'],
])('examples of the range %j', async (range, expected) => {
  const rows = await load({ path: 'all.jsonl' }, { reader: { train_range: range } });
  expect(plain(rows.pool)).toBe(expected);
  expect(await asked(rows)).toBe('0a 1b 2c 3d 4e');
});

it.each<[Compat | undefined, Reader, string, number, number]>([
  [undefined, { test_range: '[-5000:]' }, '', 5000, 2],
  [undefined, { test_range: 0.9 }, '', 5400, 2],
  [undefined, { test_range: '[-5000:]', train_range: '[:2]' }, '0q0 1q1', 5000, 2],
  [undefined, { train_range: '[3:5]' }, '3q3 4q4', 6000, 2],
  [undefined, { train_range: '[-2:]' }, '5998q5998 5999q5999', 6000, 2],
  [undefined, { train_range: 0.0003 }, '0q0 1q1', 6000, 2],
  [undefined, { train_range: '[-2:]', test_range: '[:5000]' }, '5998q5998 5999q5999', 5000, 2],
  [undefined, { train_range: '[-2:]', test_range: '[:-1]' }, '5998q5998 5999q5999', 5999, 2],
  ['opencompass', { train_range: '[-2:]' }, '5998q5998 5999q5999', 6000, 2],
  ['opencompass', { train_range: '[:2]', test_range: '[:-1]' }, '0q0 1q1', 5999, 1],
])(
  '%s, %j: a file whose labels are looked for, with the examples %j, gives %j rows and is opened at most twice',
  async (...given) => {
    const [compat, reader, examples, count, most] = given;
    const rows = Array.from({ length: 6000 }, (_, id) => ({
      q: `q${id}`,
      a: id % 2 ? 'yes' : 'no',
    }));
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const { open } = files;
    onTestFinished(() => {
      files.open = open;
      syncBuiltinESMExports();
    });
    let opened = 0;
    files.open = (path, ...rest) => {
      if (String(path).endsWith('all.jsonl')) opened += 1;
      return open(path, ...rest);
    };
    syncBuiltinESMExports();
    const loaded = await load(
      { path: 'all.jsonl' },
      {
        files: { 'all.jsonl': text },
        reader: { ...reader, output_column: 'a' },
        inferencer: { type: 'PPLInferencer' },
        ...(examples === '' && { retriever: { type: 'ZeroRetriever' as const } }),
        ...(compat && { compat }),
      },
    );
    expect(plain(loaded.pool)).toBe(examples);
    expect(loaded.samples.map(({ row }) => row.a)).toEqual(['no', 'yes']);
    expect((await collect(loaded.stream)).length).toBe(count);
    expect(opened).toBe(most);
  },
);

describe('files', () => {
  let isLinux: boolean;
  beforeAll(() => {
    isLinux = process.platform === 'linux';
  });

  async function openFiles(): Promise<string[]> {
    const names = await readdir('/proc/self/fd');
    const targets = names.map((name) => readlink(join('/proc/self/fd', name)).catch(() => ''));
    return (await Promise.all(targets)).filter((target) => /typecase-data-.*jsonl$/.test(target));
  }

  it.each<[string, Settings]>([
    ['a bad range', { reader: { test_range: '[a]' } }],
    [
      'a bad range of examples',
      {
        reader: { train_range: '[a]' },
        retriever: { type: 'FixKRetriever' as const, fix_id_list: [0] },
      },
    ],
    ['a bad condition', { selection: { where: 'q >' } }],
    ['a bad limit', { selection: { limit: -1 } }],
    ['a column that no row has', { reader: { input_columns: ['nope'] } }],
    ['no rows', { selection: { limit: 0 } }],
    ['ids that no row has', { selection: { ids: new Set([99]) } }],
    [
      'settings that cannot be read',
      { type: 'CustomText', files: { ...usual, 'all.jsonl.meta.json': '{' } },
    ],
  ])('are let go of after %s', async (_, settings) => {
    const retriever = settings.retriever ?? { type: 'ZeroRetriever' as const };
    await expect(load({ path: 'all.jsonl' }, { ...settings, retriever })).rejects.toThrow();
    if (isLinux) expect(await openFiles()).toEqual([]);
  });

  it('are let go of by those who only looked at them', async () => {
    const rows = await load(
      { path: 'all.jsonl' },
      { retriever: { type: 'ZeroRetriever' as const } },
    );
    await rows.stream.close?.();
    if (isLinux) expect(await openFiles()).toEqual([]);
  });
});
