import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkLock, lockFolder, lockOwner, ownIdentity } from './lock.ts';
import { AppendLog } from './log-file.ts';
import { writeWhole } from './write-whole.ts';

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

it('has an owner only where its lock names one', async () => {
  const folder = await makeFolder();
  expect(await lockOwner(folder)).toBeUndefined();
  await writeFile(join(folder, '.lock'), 'not a lock');
  expect(await lockOwner(folder)).toBeUndefined();
  await writeFile(join(folder, '.lock'), String(process.ppid));
  expect(await lockOwner(folder)).toEqual({ text: String(process.ppid), pid: process.ppid });
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

const { owner: own } = ownIdentity();

/** Leaves a lock behind that was written some seconds ago. */
async function leaveLock(folder: string, owner: object, secondsAgo = 0): Promise<void> {
  const file = join(folder, '.lock');
  await writeFile(file, JSON.stringify({ ...own, ...owner }));
  const time = Date.now() / 1000 - secondsAgo;
  await utimes(file, time, time);
}

it('is not deceived by the number of an ended process that another has now', async () => {
  const folder = await makeFolder();
  await leaveLock(folder, { pid: process.ppid, started: '1' });
  await (await lockFolder(folder))();
  await leaveLock(folder, {});
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'run.in_use' });
});

it.each([
  ['in another container', { space: 'other pid:[1]' }, `${own.pid} on ${own.host}`],
  ['on another machine', { host: 'far', pid: 7 }, '7 on far'],
])('believes an owner %s as long as it writes', async (_, owner, named) => {
  const folder = await makeFolder();
  await leaveLock(folder, owner, 20);
  await expect(lockFolder(folder)).rejects.toMatchObject({
    message: `another process (${named}) is writing to ${folder}`,
    hint: expect.stringMatching(/the folder is free in (?:9|10|11) s\.$/),
  });
  await leaveLock(folder, owner, 31);
  await (await lockFolder(folder))();
});

it('writes nothing more to a folder that another process has taken over', async () => {
  const folder = await makeFolder();
  const unlock = await lockFolder(folder);
  const log = await AppendLog.open<string>(join(folder, 'log.jsonl'), 0);
  log.append('first');
  await log.flush();
  const other = join(folder, 'other');
  await writeFile(other, JSON.stringify({ ...own, pid: process.ppid }));
  await rename(other, join(folder, '.lock'));
  const lost = { code: 'run.lock_lost' };
  expect(() => checkLock(join(folder, 'model', 'dataset.jsonl'))).toThrow(
    expect.objectContaining(lost),
  );
  await expect(writeWhole(join(folder, 'run.json'), '{}')).rejects.toMatchObject(lost);
  log.append('second');
  await expect(log.close()).rejects.toMatchObject(lost);
  await unlock();
  expect((await readdir(folder)).sort()).toEqual(['.lock', 'log.jsonl']);
  expect(await readFile(join(folder, 'log.jsonl'), 'utf8')).toBe('"first"\n');
});
