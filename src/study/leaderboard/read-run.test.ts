import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampleRecord } from '../../run/store/sample-record.fixture.ts';
import { findResults } from './find-results.ts';

interface Row {
  readonly id: number;
  readonly row?: string;
  readonly outcome?: string;
  readonly score?: number;
}

async function runWith(rows: readonly Row[], value: number, run: object = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-board-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const score = { value, low: 0, high: 1, level: 0.95, method: 'wilson' };
  const counts = { total: 2, scored: 2, unscored: 0, failed: 0, missing: 0 };
  const results = [{ model: 'm', dataset: 'sums', metric: 'accuracy', score, rows: counts }];
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
    await runWith(rows, 0.5, { templates: [{ dataset: 'sums', ...stamp }] }),
  );
  expect(score).toMatchObject({ task: 'adding', version: 'chat', stamp, metric: 'accuracy' });
  expect([...(score?.rows?.cells ?? [])]).toEqual([
    ['a 0', '1'],
    ['b 1', '0'],
  ]);
});

test.each([
  ['rows whose content is not known', [{ id: 0, score: 1 }], 1],
  ['a score that is no mean', [{ id: 0, row: 'a', score: 1 }], 0.4],
])('%s cannot be paired', async (_, rows, value) => {
  const score = await scoreOf(await runWith(rows, value));
  expect(score).toMatchObject({ task: 'sums', version: '0.0', rows: undefined });
});

test('rows that the last run did not take do not count', async () => {
  const rows = [
    { id: 0, row: 'a', score: 1 },
    { id: 1, row: 'b', score: 0 },
  ];
  const folder = await runWith(rows, 1);
  await writeFile(join(folder, 'm', 'sums.index'), new Uint8Array(Float64Array.of(1).buffer));
  expect([...((await scoreOf(folder))?.rows?.cells ?? [])]).toEqual([['a 0', '1']]);
});

test('a damaged line is named and left out', async () => {
  const folder = await runWith([{ id: 0, row: 'a', score: 1 }], 1);
  await appendFile(join(folder, 'm', 'sums.jsonl'), '{"id":0,');
  const [result] = await findResults([folder], () => undefined);
  expect(result?.scores[0]?.rows?.cells.size).toBe(1);
  expect(result?.problems).toMatchObject([{ line: 2, reason: 'the line has no end' }]);
});
