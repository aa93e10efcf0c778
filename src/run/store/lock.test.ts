import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lockFolder } from './lock.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it('lets one process in at a time', async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, '.lock'), String(process.ppid));
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'run.in_use',
    message: `another process (${process.ppid}) is writing to ${folder}`,
  });
});

it('can be taken again once it is given back', async () => {
  const folder = await makeFolder();
  for (let time = 0; time < 2; time++) await (await lockFolder(folder))();
});

const ended = spawnSync(process.execPath, ['--version']).pid;
it.each([String(ended), '', 'damaged', '-1'])(
  'takes over what was left behind: %j',
  async (owner) => {
    const folder = await makeFolder();
    await writeFile(join(folder, '.lock'), owner);
    await (await lockFolder(folder))();
  },
);
