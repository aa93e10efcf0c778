import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openRun, resultOf, type StoredRow, type StoredRun } from './open-run.ts';

const fixture = join(import.meta.dirname, '../../../test/fixtures/runs/0.1');

async function copyRun(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-run-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(fixture, folder, { recursive: true });
  return folder;
}

async function rowsOf(run: StoredRun, selection?: { model?: string; dataset?: string }) {
  const rows: StoredRow[] = [];
  for await (const row of run.rows(selection)) rows.push(row);
  return rows;
}

it('reads a run of version 0.1', async () => {
  const run = await openRun(fixture);
  const evaluation = { model: 'typecase-tiny', dataset: 'arithmetic-equation' };
  expect(run.file).toMatchObject({ format: 2, typecase: '0.1.0', command: 'run', metrics: [] });
  expect(run.evaluations).toEqual([evaluation]);
  expect(resultOf(run, evaluation)?.rows.scored).toBe(5);
  const rows = await rowsOf(run, { dataset: evaluation.dataset });
  expect(rows.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3, 4]);
  expect(rows[0]).toMatchObject({ ...evaluation, outcome: 'scored', score: 1, gold: '25' });
  expect(run.problems).toEqual([]);
});

it('names damaged lines once, however often rows are read', async () => {
  const folder = await copyRun();
  const log = join(folder, 'typecase-tiny/arithmetic-equation.jsonl');
  await rm(join(folder, 'typecase-tiny/arithmetic-equation.index'));
  await appendFile(log, '{"id":9}\n');
  const run = await openRun(folder);
  expect((await rowsOf(run)).length).toBe(5);
  expect((await rowsOf(run)).length).toBe(5);
  expect(run.problems).toMatchObject([{ code: 'run.bad_record', file: log, line: 6 }]);
});

it('opens a run that did not come to its end', async () => {
  const folder = await copyRun();
  await rm(join(folder, 'summary.json'));
  expect((await openRun(folder)).summary).toBeUndefined();
});

it.each(['{"complete":', '{"complete":true,"results":[{"model":"m"}],"groups":[]}'])(
  'refuses the summary %s',
  async (text) => {
    const folder = await copyRun();
    await writeFile(join(folder, 'summary.json'), text);
    await expect(openRun(folder)).rejects.toMatchObject({ code: 'run.bad_file' });
  },
);

it.each<[string, unknown]>([
  ['looser', { rows: 1 }],
  ['notALabel', { rows: 1, first: [0] }],
  ['failures', 'all'],
  ['stopped', [{}]],
  ['metrics', [{ name: 'm' }]],
  ['reasons', [{ reason: 5 }]],
  ['clusters', 'q'],
  ['samples', { asked: 1 }],
  ['tokens', { input: '1' }],
  ['requests', []],
  ['allRows', { value: 1 }],
  ['latency', { total: 1 }],
  ['judge', { requests: 1 }],
  ['unpriced', 'm'],
])('a damaged `%s` in a summary is refused with its place', async (name, value) => {
  const folder = await copyRun();
  const file = join(folder, 'summary.json');
  const summary = JSON.parse(await readFile(file, 'utf8'));
  summary.results[0][name] = value;
  await writeFile(file, JSON.stringify(summary));
  await expect(openRun(folder)).rejects.toMatchObject({
    code: 'run.bad_file',
    message: expect.stringContaining(`results[0].${name}`),
  });
});

it.each<[string, unknown]>([
  ['name', 5],
  ['version', null],
  ['startedAt', 5],
  ['finishedAt', {}],
  ['starts', { count: 1 }],
  ['served', [{}]],
  ['gates', [{ gate: 1 }]],
  ['cost', 1],
])('a damaged `%s` of a summary is refused with its place', async (name, value) => {
  const folder = await copyRun();
  const file = join(folder, 'summary.json');
  const summary = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...summary, [name]: value }));
  await expect(openRun(folder)).rejects.toMatchObject({
    code: 'run.bad_file',
    message: expect.stringContaining(name),
  });
});

it('says where a summary is wrong', async () => {
  const folder = await copyRun();
  await writeFile(
    join(folder, 'summary.json'),
    '{"complete":true,"results":[{"model":"m","dataset":5}],"groups":[]}',
  );
  await expect(openRun(folder)).rejects.toMatchObject({
    message: expect.stringContaining('results[0].'),
    path: expect.arrayContaining(['results', 0]),
  });
});

it('says which names there are', async () => {
  const run = await openRun(fixture);
  await expect(rowsOf(run, { model: 'typecase-tinny' })).rejects.toMatchObject({
    code: 'run.unknown_evaluation',
    hint: 'Did you mean `typecase-tiny`? Models: typecase-tiny.',
  });
});
