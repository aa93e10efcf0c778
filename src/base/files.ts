import type { BigIntStats, Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { ConfigError } from '../errors.ts';

/** Whether an error says that there is no such file or folder. */
export function isFileMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The system's own code of an error, such as `EEXIST`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === undefined ? undefined : String(code);
}

/** What something that is no file is; nothing for files. Pipes and devices may never end. */
export function otherThanFile(stats: Stats | BigIntStats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** The text of a file. What is no file is refused before it is opened, which could wait for ever. */
export async function readTextFile(file: string): Promise<string> {
  const other = otherThanFile(await stat(file));
  if (other === undefined) return readFile(file, 'utf8');
  throw new ConfigError('config.not_found', `${file} is ${other}, not a file`, {
    hint: 'Write its contents to a file, and use that.',
  });
}
