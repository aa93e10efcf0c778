import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type RunFile, readRunFile, writeRunFile } from './run-file.ts';
import { openRunFolder } from './run-folder.ts';

async function newFolder(text?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-file-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  if (text !== undefined) await writeFile(join(folder, 'run.json'), text);
  return folder;
}

const file: RunFile = {
  format: 2,
  typecase: '9.9.9',
  command: 'run',
  config: 'c.yaml',
  configSha256: 'ab',
  folder: '/home/me',
  folderFromRun: '../..',
  settings: { source: 'c.yaml', limit: 5, ids: [1, 2], failUnder: 0.5 },
  models: [
    { name: 'm', identity: { model: 'x' }, facts: { contextLength: 5 }, compat: 'aisbench' },
  ],
  templates: [{ dataset: 'd', task: 't', version: 'v', hash: 'cd' }],
  datasets: [{ abbr: 'd', evalCfg: { evaluator: { type: 'exact' } }, media: { a: [1] } }],
  metrics: [{ dataset: 'd', name: 'ter', direction: 'lower', range: [0, null] }],
  data: [
    {
      dataset: 'd',
      files: [{ name: 'a.jsonl', format: 'jsonl', bytes: 5, sha256: 'ef' }],
      scoring: ['Python 3.12'],
    },
  ],
};

async function write(written: RunFile): Promise<string> {
  const folder = await openRunFolder(await newFolder());
  await writeRunFile(folder, written);
  await folder.unlock();
  return folder.path;
}

it('is read as it was written', async () => {
  expect(await readRunFile(await write(file))).toEqual(file);
});

it('keeps what a later version added', async () => {
  const later = { ...file, note: 'new', data: [] };
  expect(await readRunFile(await write(later))).toEqual(later);
});

it('holds no secrets of addresses', async () => {
  const source = 'https://me:planted@host/rows.jsonl?token=planted';
  const path = await write({ ...file, settings: { source, model: source } });
  const text = await readFile(join(path, 'run.json'), 'utf8');
  expect(text).not.toContain('planted');
  expect((await readRunFile(path)).settings.source).toBe('https://host/rows.jsonl?token=***');
});

it.each([
  [{}, { typecase: '0.1', command: 'run', models: [], data: [] }],
  [
    { typecase: '0.1.0', command: 'lm-eval', data: [{ dataset: 'd', hash: 'ab' }] },
    { command: 'lm-eval', data: [{ dataset: 'd', hash: 'ab', files: [] }] },
  ],
  [{ settings: { source: 'task:a', axes: {} } }, { command: 'sweep' }],
])('reads %j of version 0.1', async (old, expected) => {
  const read = await readRunFile(await newFolder(JSON.stringify(old)));
  expect(read).toMatchObject({ format: 2, metrics: [], ...expected });
});

it.each([
  ['{"format":2,', 'run.bad_file', 'run.json cannot be read: not JSON'],
  ['null', 'run.bad_file', 'run.json cannot be read: the file: '],
  ['[]', 'run.bad_file', 'run.json cannot be read: the file: '],
  ['{"models":[{"name":5}]}', 'run.bad_file', 'run.json cannot be read: models[0].name: '],
  [JSON.stringify({ ...file, format: '2' }), 'run.bad_file', 'cannot be read: format: '],
  [JSON.stringify({ ...file, command: 'x' }), 'run.bad_file', 'cannot be read: command: '],
  [
    JSON.stringify({ format: 3, typecase: '7.0.0' }),
    'run.newer_folder',
    'was written by Typecase 7.0.0, in format 3; this version reads up to 2',
  ],
])('refuses %s', async (text, code, message) => {
  const folder = await newFolder(text);
  await expect(readRunFile(folder)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
    hint: expect.anything(),
  });
});

it('says where a wrong value stands', async () => {
  const folder = await newFolder('{"models":[{"name":5}]}');
  await expect(readRunFile(folder)).rejects.toMatchObject({ path: ['models', 0, 'name'] });
});

it('refuses what is not a run folder', async () => {
  const folder = await newFolder('{}');
  await mkdir(join(folder, 'other'));
  for (const name of ['none', 'other', 'run.json']) {
    await expect(readRunFile(join(folder, name))).rejects.toMatchObject({
      code: 'run.not_a_folder',
    });
  }
});

it('does not let an older version write to a newer folder', async () => {
  const folder = await newFolder('{"format":3,"typecase":"7.0.0"}');
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(openRunFolder(folder)).rejects.toMatchObject({ code: 'run.newer_folder' });
  }
});

it('writes a damaged record anew', async () => {
  const folder = await openRunFolder(await newFolder('{"format":'));
  await writeRunFile(folder, file);
  await folder.unlock();
  expect(await readRunFile(folder.path)).toEqual(file);
});
