import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RunError } from '../errors.ts';

/** The files of a run. */
export interface RunFolder {
  readonly path: string;
  readonly logFile: (model: string, dataset: string) => string;
  readonly indexFile: (model: string, dataset: string) => string;
  readonly write: (name: string, text: string) => Promise<void>;
  readonly unlock: () => Promise<void>;
}

/** Opens the folder of a run for writing; one process at a time. */
export async function openRunFolder(path: string): Promise<RunFolder> {
  await mkdir(path, { recursive: true });
  const unlock = await lock(path);
  return { ...runFiles(path), write: (name, text) => writeWhole(join(path, name), text), unlock };
}

export function runFiles(path: string): Pick<RunFolder, 'path' | 'logFile' | 'indexFile'> {
  const file = (model: string, dataset: string) => join(path, fileName(model), fileName(dataset));
  return {
    path,
    logFile: (model, dataset) => `${file(model, dataset)}.jsonl`,
    indexFile: (model, dataset) => `${file(model, dataset)}.index`,
  };
}

/** A name that is a file name on every system, and different for different names. */
export function fileName(name: string): string {
  return name.replace(
    /[^\p{L}\p{N}._-]/gu,
    (character) => `%${character.codePointAt(0)?.toString(16)}`,
  );
}

/** Writes a file so that it is there in full or as it was before. */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  await writeFile(draft, text);
  await rename(draft, file);
}

async function lock(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, '.lock');
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = await open(file, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 2) throw error;
    }
    const owner = Number(await readFile(file, 'utf8').catch(() => ''));
    if (isAlive(owner)) {
      throw new RunError('run.in_use', `another process (${owner}) is writing to ${folder}`, {
        hint: 'Wait for it, or choose another folder with --out.',
      });
    }
    await rm(file, { force: true });
  }
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
