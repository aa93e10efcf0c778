import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunError } from '../errors.ts';

/** Makes sure that one process at a time writes to a folder. Gives the way to let go of it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, '.lock');
  for (let attempt = 0; ; attempt++) {
    if (takeLock(file)) return () => rm(file, { force: true });
    const owner = await ownerOf(file);
    if (isAlive(owner) || attempt > 2) {
      throw new RunError('run.in_use', `another process (${owner}) is writing to ${folder}`, {
        hint: 'Wait for it, or choose another folder.',
      });
    }
    await rm(file, { force: true });
  }
}

/** In one go, so that hardly anybody sees a lock without its owner. */
function takeLock(file: string): boolean {
  try {
    const descriptor = openSync(file, 'wx');
    writeSync(descriptor, String(process.pid));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function ownerOf(file: string): Promise<number> {
  const read = () => readFile(file, 'utf8').catch(() => '');
  const owner = await read();
  if (owner !== '') return Number(owner);
  await sleep(100);
  return Number(await read());
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0 || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
