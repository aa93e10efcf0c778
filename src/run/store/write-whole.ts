import { rename, rm, writeFile } from 'node:fs/promises';
import { RunError, TypecaseError } from '../../errors.ts';
import { checkLock } from './lock.ts';

/** The most that a loss of power costs is what a process did in so long a time. */
export const syncEveryMs = 5000;

/** Writes a file so that it is there in full or as it was before. */
export function writeWhole(file: string, content: string | Iterable<Uint8Array>): Promise<void> {
  const draft = `${file}.part`;
  return writing(file, async () => {
    try {
      checkLock(file);
      await writeFile(draft, content, { flush: performance.now() > syncEveryMs });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  });
}

/** Does something that writes to a file or folder, and says so if the system does not let it. */
export async function writing<Result>(path: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (cause) {
    if (TypecaseError.isInstance(cause)) throw cause;
    const { message } = cause as Error;
    throw new RunError('run.not_written', `${path} cannot be written: ${message}`, {
      cause,
      hint: 'Check free disk space and permissions, or choose another folder with `--out`.',
    });
  }
}
