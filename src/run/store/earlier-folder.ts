import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isFileMissing } from '../../base/files.ts';

/** Where answers of a run go that were asked for again. */
export const earlierFolder = 'earlier';
export const unfinished = '.part';

/** Where what a log held before was set aside, the oldest first. */
export function earlierLogs(logFile: string): string[] {
  const folder = dirname(dirname(logFile));
  return namesIn(folder)
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map((name) => join(folder, earlierFolder, name, relative(folder, logFile)));
}

/** Whether a start that was to set answers aside was ended before it had. */
export function isSettingAside(folder: string): boolean {
  return namesIn(folder).some((name) => name.endsWith(unfinished));
}

/** The folders of what was set aside: a number each, perhaps of one that is not finished. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(join(folder, earlierFolder)).filter((name) => /^\d+(?:\.part)?$/.test(name));
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw error;
  }
}
