import { existsSync } from 'node:fs';
import { copyFile, link, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DataError } from '../../errors.ts';
import { Cache, defaultCacheFolder } from './cache.ts';
import { download } from './download.ts';
import { hubHeaders, hubUrl, readListing } from './hub.ts';

export interface HubModelOptions {
  /** Which files of the model are needed, given all there are and the one that was named. */
  readonly choose: (files: readonly string[], named: string | undefined) => readonly string[];
  readonly cacheFolder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const sourcePattern = /^hf:\/\/([^/@]+\/[^/@]+)(?:@([^/]+))?(?:\/(.+))?$/;

/** Brings a model from the hub into a folder of the cache; gives the folder, or the named file. */
export async function fetchHubModel(source: string, options: HubModelOptions): Promise<string> {
  const [, repository, revision = 'main', named] = sourcePattern.exec(source) ?? [];
  if (repository === undefined) {
    throw new DataError('data.bad_source', `${source}: this is not a model on the hub`, {
      hint: 'Write hf://owner/name, optionally with @revision.',
    });
  }
  const { choose, cacheFolder = defaultCacheFolder(), signal } = options;
  const cache = new Cache(cacheFolder);
  const listing = await readListing(`models/${repository}/revision/${revision}`, { cache, signal });
  const files = listing.siblings.map(({ rfilename }) => rfilename);
  const folder = join(cacheFolder, 'models', repository, listing.sha);
  for (const file of choose(files, named)) {
    const encoded = file.split('/').map(encodeURIComponent).join('/');
    const url = `${hubUrl()}/${repository}/resolve/${listing.sha}/${encoded}`;
    const blob = await download(url, { cache, signal, headers: hubHeaders(), isFixed: true });
    await linkTo(blob.path, join(folder, file));
  }
  return named === undefined ? folder : join(folder, named);
}

/** Under a name of its own, without a second copy where the file system allows. */
async function linkTo(blob: string, file: string): Promise<void> {
  if (existsSync(file)) return;
  await mkdir(dirname(file), { recursive: true });
  await link(blob, file).catch(() => copyFile(blob, file));
}
