import { DataError } from '../../errors.ts';
import { Cache, defaultCacheFolder } from './cache.ts';
import type { DataFile } from './data-file.ts';
import { findLocalFiles } from './local-files.ts';

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
  return new DataError('data.bad_source', `${source}: this address cannot be read`, {
    hint: 'Name a file, a pattern, or an address with http://, https:// or hf://datasets/.',
  });
}
