import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { hashFile } from '../../data/source/cache.ts';
import type { StoredRun } from '../../run/store/open-run.ts';

/** The folder in which a run was started. */
export interface Start {
  readonly folder: string;
  /** Whether the config is another one now. */
  readonly hasChanged: boolean;
}

/**
 * Finds the folder that the source of a run is relative to: where the command was started or, if all
 * was moved together, what lies there now as seen from the run. The one with the same config wins.
 */
export async function findStart(run: StoredRun, source: string): Promise<Start | undefined> {
  const { folder, folderFromRun = '', configSha256 } = run.file;
  const all = folder === undefined ? [process.cwd()] : [folder, resolve(run.path, folderFromRun)];
  const there = all.filter((one) => existsSync(one));
  const having = there.filter((one) => existsSync(resolve(one, source)));
  const [first] = configSha256 === undefined ? [...having, ...there] : having;
  if (first === undefined || configSha256 === undefined) {
    return first === undefined ? undefined : { folder: first, hasChanged: false };
  }
  for (const one of having) {
    if ((await hashFile(resolve(one, source))) === configSha256) {
      return { folder: one, hasChanged: false };
    }
  }
  return { folder: first, hasChanged: true };
}
