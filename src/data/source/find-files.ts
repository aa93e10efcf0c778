import type { BigIntStats, Stats } from 'node:fs';
import { readdir, realpath, stat, statfs } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { otherThanFile } from '../../base/files.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { DataError } from '../../errors.ts';
import { Cache, defaultCacheFolder } from './cache.ts';
import type { DataFile } from './data-file.ts';

export interface SourceOptions {
  /** What relative paths are relative to; the working folder unless named. */
  readonly folder?: string;
  /** Where downloads are kept. */
  readonly cacheFolder?: string;
  readonly signal?: AbortSignal;
}

const scheme = /^([a-z][a-z0-9+.-]+):\/\//i;

/** The files that a source names, on this machine: what is elsewhere is downloaded first. */
export async function findFiles(source: string, options: SourceOptions = {}): Promise<DataFile[]> {
  const { folder = '.', cacheFolder = defaultCacheFolder(), signal } = options;
  const cache = new Cache(cacheFolder);
  switch (scheme.exec(source)?.[1]?.toLowerCase()) {
    case undefined:
      return findLocalFiles(source, folder);
    case 'http':
    case 'https': {
      if (!URL.canParse(source)) throw badSource(source);
      const { findWebFile } = await import('./download.ts');
      return [await findWebFile(source, { cache, signal })];
    }
    case 'hf': {
      const { findHubFiles } = await import('./hub.ts');
      return findHubFiles(source, { cache, signal });
    }
    default:
      throw badSource(source);
  }
}

function badSource(source: string): DataError {
  return new DataError('data.bad_source', `${source}: addresses of this kind cannot be read`, {
    hint: 'Give a file, a pattern, or an address that begins with http://, https:// or hf://datasets/.',
  });
}

/** The file that a path names, or the files that a pattern such as `data/*.jsonl` matches. */
async function findLocalFiles(source: string, folder: string): Promise<DataFile[]> {
  const path = resolve(folder, source);
  const stats = await stat(path).catch(() => undefined);
  if (stats) {
    await refuseOthers({ stats, path, source });
    return [{ path, name: source }];
  }
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(source)) throw await notFound(source, folder);
  const isAbsolutePattern = isAbsolute(source);
  const matches = await glob(source, { cwd: folder, absolute: true });
  if (matches.length > 0) {
    return (await onceEach(matches.sort())).map((match) => ({
      path: match,
      name: isAbsolutePattern ? match : relative(folder, match),
    }));
  }
  throw new DataError('data.not_found', `${source}: no file matches the pattern`, {
    hint: `Paths are relative to ${resolve(folder)}.`,
  });
}

/** The paths without those that lead by links to a file that is there already. */
async function onceEach(paths: readonly string[]): Promise<string[]> {
  const shown = new Map<string, { readonly path: string; readonly isLink: boolean }>();
  for (const path of paths) {
    const isLink = (await realpath(path)) !== path;
    const stats = await stat(path, { bigint: true });
    await refuseOthers({ stats, path, source: path });
    const { dev, ino } = stats;
    const known = shown.get(`${dev} ${ino}`);
    if (!known || (known.isLink && !isLink)) shown.set(`${dev} ${ino}`, { path, isLink });
  }
  return Array.from(shown.values(), ({ path }) => path).sort();
}

interface Found {
  readonly stats: Stats | BigIntStats;
  readonly path: string;
  readonly source: string;
}

async function refuseOthers({ stats, path, source }: Found): Promise<void> {
  const other = otherThanFile(stats) ?? (await kernelFile(stats, path));
  if (other === undefined) return;
  throw new DataError('data.not_a_file', `${source}: this is ${other}`, {
    hint: stats.isDirectory()
      ? `Give a file, or a pattern such as ${source.replace(/\/*$/, '')}/*.jsonl.`
      : 'Rows are read more than once: write them to a file, and give that file.',
  });
}

const procfs = 0x9fa0;

/** What stands in `/proc` has no size; some of it never ends, and all of it may change at any time. */
async function kernelFile({ size }: Found['stats'], path: string): Promise<string | undefined> {
  if (Number(size) > 0) return undefined;
  const system = await statfs(path).catch(() => undefined);
  return system?.type === procfs ? 'no file on a disk, but a view of the system' : undefined;
}

async function notFound(source: string, folder: string): Promise<DataError> {
  const path = resolve(folder, source);
  const names = await readdir(dirname(path)).catch(() => undefined);
  const near = nearestName(basename(path), names ?? []);
  const hint = names === undefined ? 'The folder does not exist either. ' : '';
  return new DataError('data.not_found', `${source}: file not found`, {
    hint: near
      ? `Did you mean \`${source.slice(0, source.length - basename(source).length)}${near}\`?`
      : `${hint}Paths are relative to ${resolve(folder)}.`,
  });
}
