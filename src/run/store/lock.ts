import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../base/file-errors.ts';
import { RunError } from '../../errors.ts';

/** Makes sure that one process at a time writes to a folder. Gives the way to let go of it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = resolve(folder, '.lock');
  if (held.has(file)) {
    throw new RunError('run.in_use', `another run of this process is writing to ${folder}`, {
      hint: 'Wait for it, or choose another folder.',
    });
  }
  held.add(file);
  try {
    await waitForLock(file, folder);
  } catch (error) {
    held.delete(file);
    throw error;
  }
  return async () => {
    held.delete(file);
    await rm(file, { force: true });
  };
}

/** The locks of this process, whose number alone would not tell them from those of a dead one. */
const held = new Set<string>();

async function waitForLock(file: string, folder: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    if (takeLock(file)) return;
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
    if (codeOf(error) === 'EEXIST') return false;
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
    return codeOf(error) === 'EPERM';
  }
}
