import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { leaderboardMarkdown } from '../../report/leaderboard/render-tables.ts';
import { sampleRecord } from '../../run/store/sample-record.fixture.ts';
import { findResults } from './find-results.ts';
import { makeLeaderboard } from './leaderboard.ts';
import type { ModelResult } from './task-score.ts';

interface Row {
  readonly id: number;
  readonly row?: string;
  readonly outcome?: string;
  readonly score?: number;
}

interface Facts {
  readonly run?: object;
  readonly result?: object;
}

async function runWith(
  rows: readonly Row[],
  value: number,
  { run = {}, result = {} }: Facts = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-board-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const score = { value, low: 0, high: 1, level: 0.95, method: 'wilson' };
  const scored = rows.filter(({ outcome = 'scored' }) => outcome === 'scored').length;
  const unscored = rows.length - scored;
  const counts = { total: rows.length, scored, unscored, failed: 0, missing: 0 };
  const results = [
    { model: 'm', dataset: 'sums', metric: 'accuracy', score, rows: counts, ...result },
  ];
  const log = rows
    .map((row) => `${JSON.stringify({ ...sampleRecord(row.id, { row: undefined }), ...row })}\n`)
    .join('');
  await mkdir(join(folder, 'm'));
  await writeFile(join(folder, 'm', 'sums.jsonl'), log);
  await writeFile(
    join(folder, 'summary.json'),
    JSON.stringify({ complete: true, results, groups: [] }),
  );
  const recorded = { models: [{ name: 'm' }], datasets: [{ abbr: 'sums' }], ...run };
  await writeFile(join(folder, 'run.json'), JSON.stringify(recorded));
  return folder;
}

const scoreOf = async (folder: string) =>
  (await findResults([folder], () => undefined))[0]?.scores[0];

test('a run: scores, rows as they ended last, template versions', async () => {
  const rows = [
    { id: 0, row: 'a', score: 1 },
    { id: 1, row: 'b', score: 1 },
    { id: 2, row: 'c', outcome: 'failed' },
    { id: 1, row: 'b', score: 0 },
  ];
  const stamp = { task: 'adding', version: 'chat', hash: 'abcd' };
  const score = await scoreOf(
    await runWith(rows, 0.5, { run: { templates: [{ dataset: 'sums', ...stamp }] } }),
  );
  expect(score).toMatchObject({ task: 'adding', version: 'chat', stamp, metric: 'accuracy' });
  expect([...(score?.rows?.cells ?? [])]).toEqual([
    ['a', '1'],
    ['b', '0'],
    ['c', '0'],
  ]);
  expect(score).toMatchObject({ score: { value: expect.closeTo(1 / 3) }, unscored: 1 });
});

test.each([
  ['rows whose content is not known', [{ id: 0, score: 1 }], 1],
  ['a score that is no mean', [{ id: 0, row: 'a', score: 1 }], 0.4],
])('%s cannot be paired', async (_, rows, value) => {
  const score = await scoreOf(await runWith(rows, value));
  expect(score).toMatchObject({ task: 'sums', version: '0.0', rows: undefined });
});

test('rows that moved and copies of rows pair; unequal unscored rows do not unpair', async () => {
  const left = [
    { id: 0, row: 'a', score: 1 },
    { id: 1, row: 'a', score: 0 },
    { id: 2, row: 'b', score: 1 },
  ];
  const right = [
    { id: 5, row: 'b', outcome: 'unscored' },
    { id: 6, row: 'a', score: 1 },
    { id: 7, row: 'a', score: 1 },
  ];
  const folders = [await runWith(left, 2 / 3), await runWith(right, 1)];
  const [first, second] = await findResults(folders, () => undefined);
  const { neighbours } = makeLeaderboard([
    { ...first, model: 'first' } as ModelResult,
    { ...second, model: 'second' } as ModelResult,
  ]);
  expect(neighbours[0]?.tasks).toEqual([
    { task: 'sums', pairs: 3, unpaired: 0, value: expect.closeTo(0) },
  ]);
});

const recorded = (template: string, more: object = {}) => ({
  datasets: [
    {
      abbr: 'sums',
      inferCfg: {
        promptTemplate: { config: { type: 'PromptTemplate', template } },
        retriever: { type: 'RandomRetriever', iceNum: 2 },
      },
    },
  ],
  ...more,
});
const oneRow = [{ id: 0, row: 'a', score: 1 }];

test('different texts are never one prompt', async () => {
  const folders = [
    await runWith(oneRow, 1, { run: recorded('{q} =') }),
    await runWith(oneRow, 1, { run: recorded('What is {q}?') }),
  ];
  const results = await findResults(folders, () => undefined);
  const [model] = makeLeaderboard(results).models;
  expect(model).toMatchObject({ template: expect.stringMatching(/^text [\da-f]{6}$/), tried: 2 });
  expect(model?.cells[0]).toMatchObject({ shots: 2, count: 1 });
  const same = await findResults([folders[0] as string], () => undefined);
  expect(makeLeaderboard(same).models[0]).toMatchObject({ template: '0.0', tried: 1 });
});

test('models of one name with other settings are models of their own', async () => {
  const identity = (temperature: number) => ({
    models: [
      {
        name: 'm',
        identity: { type: 'openai', url: String(temperature), generationKwargs: { temperature } },
      },
    ],
  });
  const folders = [
    await runWith(oneRow, 1, { run: identity(0) }),
    await runWith(oneRow, 1, { run: identity(1) }),
  ];
  const { models } = makeLeaderboard(await findResults(folders, () => undefined));
  expect(models.map(({ model }) => model)).toEqual([
    'm (generationKwargs.temperature=0)',
    'm (generationKwargs.temperature=1)',
  ]);
});

test('scores of which less is better are not ranked', async () => {
  const folder = await runWith(oneRow, 1, { result: { metric: 'cer', direction: 'lower' } });
  const results = await findResults([folder], () => undefined);
  expect(() => makeLeaderboard(results)).toThrow(
    expect.objectContaining({
      code: 'leaderboard.nothing_to_rank',
      hint: expect.stringContaining('cer of sums'),
    }),
  );
});

test('a score of too few rows for an interval is ranked, and may be anything', async () => {
  const result = { metric: 'f1', score: { value: 1, interval: 'too few' } };
  const folder = await runWith([{ id: 0, row: 'a', score: 0.5 }], 1, { result });
  expect((await scoreOf(folder))?.score).toMatchObject({ value: 1, low: 0, high: 1 });
});

test('rows that the last run did not take do not count', async () => {
  const rows = [
    { id: 0, row: 'a', score: 1 },
    { id: 1, row: 'b', score: 0 },
  ];
  const folder = await runWith(rows, 1);
  await writeFile(join(folder, 'm', 'sums.index'), new Uint8Array(Float64Array.of(1).buffer));
  expect([...((await scoreOf(folder))?.rows?.cells ?? [])]).toEqual([['a', '1']]);
});

test('a damaged line is named and left out', async () => {
  const folder = await runWith([{ id: 0, row: 'a', score: 1 }], 1);
  await appendFile(join(folder, 'm', 'sums.jsonl'), '{"id":0,');
  const [result] = await findResults([folder], () => undefined);
  expect(result?.scores[0]?.rows?.cells.size).toBe(1);
  expect(result?.problems).toMatchObject([{ line: 2, reason: 'the line has no end' }]);
});

test('examples that were dropped are said in the cell, whatever the number of shots', async () => {
  const rows = [0, 1, 2].map((id) => ({
    id,
    row: String(id),
    score: 1,
    ...(id > 0 && { dropped: 3 }),
  }));
  const folder = await runWith(rows, 1, { run: recorded('{q} =') });
  const board = makeLeaderboard(await findResults([folder], () => undefined));
  expect(board.models[0]?.cells[0]).toMatchObject({ shortened: { rows: 2, how: 'dropped' } });
  expect(leaderboardMarkdown(board)).toContain('2-shot, dropped in 2 of 3 rows');
});

test('copies of a row count as one, in comparisons and intervals, and the notes say so', async () => {
  const isRight: Record<string, (row: number) => boolean> = {
    a: (row) => row < 14,
    b: (row) => row % 2 === 0,
  };
  const boardOf = async (times: number, names: (id: number) => string) => {
    const folders = ['a', 'b'].map(async (model) => {
      const rows = Array.from({ length: 20 * times }, (_, id) => ({
        id,
        row: names(id),
        score: Number(isRight[model]?.(id % 20)),
      }));
      const value = rows.reduce((sum, { score }) => sum + score, 0) / rows.length;
      return { model, folder: await runWith(rows, value) };
    });
    const results = await Promise.all(
      folders.map(async (one) => {
        const { model, folder } = await one;
        const found = await findResults([folder], () => undefined);
        return found.map((result) => ({ ...result, model }));
      }),
    );
    return makeLeaderboard(results.flat());
  };
  const once = await boardOf(1, String);
  const tenfold = await boardOf(10, (id) => String(id % 20));
  const apart = await boardOf(10, String);
  expect(tenfold.neighbours[0]?.p).toBe(once.neighbours[0]?.p);
  expect(apart.neighbours[0]?.p).toBeLessThan(0.001);
  const widthOf = ({ models }: typeof once) =>
    (models[0]?.average.high ?? 0) - (models[0]?.average.low ?? 0);
  expect(widthOf(tenfold) / widthOf(once)).toBeGreaterThan(0.9);
  expect(widthOf(apart) / widthOf(once)).toBeLessThan(0.5);
  expect(leaderboardMarkdown(tenfold)).toContain(
    'Identical rows count once: sums (20 different of 200).',
  );
  expect(leaderboardMarkdown(apart)).not.toContain('hold the same');
});

test.each([
  [{ by: 'doc_id', count: 4 }, '4 values of doc'],
  [{ count: 5 }, '5 different prompts'],
])('groups that nobody named are told of: %o', async (possibleClusters, text) => {
  const rows = Array.from({ length: 20 }, (_, id) => ({ id, row: String(id), score: 1 }));
  const folder = await runWith(rows, 1, { result: { possibleClusters } });
  const board = makeLeaderboard(await findResults([folder], () => undefined));
  const notes = leaderboardMarkdown(board);
  expect(notes).toContain('Rows seem to come in clusters');
  expect(notes).toContain(`sums (${text}`);
});
