import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { SavedFiles } from './saved-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-saved-'));
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'a.config.ts'), '1');
  await writeFile(join(folder, 'data/rows.jsonl'), '1');
  return () => rm(folder, { recursive: true });
});

function watchFolder(): SavedFiles {
  const saved = new SavedFiles(folder);
  onTestFinished(() => saved.close());
  return saved;
}

const inPlace = (file: string, text: string) => writeFile(join(folder, file), text);

const byRename = async (file: string, text: string) => {
  await writeFile(join(folder, `${file}~`), text);
  await rename(join(folder, `${file}~`), join(folder, file));
};

it.each([
  ['in place', inPlace],
  ['by a file that takes its place', byRename],
])('tells of every save %s', async (_, save) => {
  const saved = watchFolder();
  for (const text of ['2', '3', '4']) {
    for (const file of ['a.config.ts', join('data', 'rows.jsonl')]) {
      saved.forget();
      const next = saved.next();
      await save(file, text);
      expect(await next).toBe(file);
    }
  }
});

it('tells of what was saved since it was to forget, and of files that came', async () => {
  const saved = watchFolder();
  await inPlace('a.config.ts', '2');
  expect(await saved.next()).toBe('a.config.ts');
  saved.forget();
  const next = saved.next();
  await mkdir(join(folder, 'more/deep'), { recursive: true });
  await inPlace('more/deep/new.yaml', '1');
  expect(await next).toBe(join('more', 'deep', 'new.yaml'));
});

it('leaves out what runs, packages and tools save', async () => {
  const saved = watchFolder();
  for (const other of ['runs/x', 'node_modules/p', '.git', 'out/app']) {
    await mkdir(join(folder, other), { recursive: true });
  }
  await inPlace('out/run.json', '{}');
  for (const other of ['runs/x', 'node_modules/p', '.git', 'out/app']) {
    await inPlace(join(other, 'a.json'), '1');
  }
  await inPlace('a.swp', '1');
  await inPlace('a.config.ts', '2');
  await utimes(join(folder, 'a.config.ts'), 1, 1);
  expect(await saved.next()).toBe('a.config.ts');
});
