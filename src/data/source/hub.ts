import { hintForName } from '../../base/nearest-name.ts';
import { DataError } from '../../errors.ts';
import type { Cache } from './cache.ts';
import type { DataFile } from './data-file.ts';
import { download } from './download.ts';
import { type HubListing, type HubSplit, hubListing, listSplits } from './hub-splits.ts';
import { request } from './request.ts';

export interface HubOptions {
  readonly cache: Cache;
  readonly signal?: AbortSignal | undefined;
}

interface HubSource {
  readonly repository: string;
  readonly revision: string;
  /** A file, a split, or a config and a split; or nothing. */
  readonly rest: string;
}

/** The files of a split of a dataset on the hub, at the commit that the revision stands for. */
export async function findHubFiles(source: string, options: HubOptions): Promise<DataFile[]> {
  const { repository, revision, rest } = parseSource(source);
  const listing = await readListing(
    `datasets/${repository}/revision/${encodeURIComponent(revision)}`,
    options,
  );
  const commit = listing.sha;
  const files: DataFile[] = [];
  for (const path of chooseFiles(source, { rest, listing })) {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const url = `${hubUrl()}/datasets/${repository}/resolve/${commit}/${encoded}`;
    const blob = await download(url, { ...options, headers: hubHeaders(), isFixed: true });
    files.push({
      ...blob,
      name: `hf://datasets/${repository}@${commit}/${path}`,
      revision: commit,
    });
  }
  return files;
}

export function hubUrl(): string {
  return (process.env.HF_ENDPOINT || 'https://huggingface.co').replace(/\/+$/, '');
}

export function hubHeaders(): Record<string, string> {
  const token = process.env.HF_TOKEN;
  return token ? { authorization: `Bearer ${token}` } : {};
}

const sourcePattern =
  /^hf:\/\/datasets\/([^/@]+\/[^/@]+)(?:@(refs\/(?:convert|pr)\/[^/]+|[^/]+))?(?:\/(.*?))?\/?$/;

function parseSource(source: string): HubSource {
  const [, repository, revision = 'main', rest = ''] = sourcePattern.exec(source) ?? [];
  if (repository !== undefined) {
    return { repository, revision: decodeURIComponent(revision), rest };
  }
  throw new DataError('data.bad_source', `${source}: this is not a dataset on the hub`, {
    hint: 'Write hf://datasets/owner/name, optionally with @revision and /config/split.',
  });
}

/** A commit never changes, so its listing is asked for once; others are kept for when offline. */
export async function readListing(address: string, options: HubOptions): Promise<HubListing> {
  const { cache, signal } = options;
  const url = `${hubUrl()}/api/${address}`;
  const known = hubListing.safeParse(await cache.readNote(url)).data;
  if (known && address.endsWith(`/${known.sha}`)) return known;
  try {
    const response = await request(url, { headers: hubHeaders(), signal });
    const answer: unknown = await response.json();
    const listing = hubListing.parse(answer);
    await cache.writeNote(url, answer);
    return listing;
  } catch (error) {
    if (error instanceof DataError && error.code === 'data.unreachable') {
      if (known) return known;
      const { code, message, cause } = error;
      throw new DataError(code, message, {
        hint: `${error.hint} The file list is not in the cache.`,
        cause,
      });
    }
    if (error instanceof DataError || signal?.aborted) throw error;
    throw new DataError('data.bad_answer', `${url}: the response is not a list of files`, {
      hint: 'Does HF_ENDPOINT point to a hub?',
      cause: error,
    });
  }
}

function chooseFiles(
  source: string,
  { rest, listing }: { readonly rest: string; readonly listing: HubListing },
): readonly string[] {
  if (listing.siblings.some(({ rfilename }) => rfilename === rest)) return [rest];
  const splits = listSplits(listing);
  const matching = matchingSplits(splits, rest);
  const [found, other] =
    matching.length > 1 ? matching.filter((split) => split.isDefault) : matching;
  if (found && !other) return found.files;
  const names = splits.map(({ config, split }) => `${config}/${split}`);
  const problem = matching.length > 1 ? 'more than one split matches' : `unknown split \`${rest}\``;
  throw new DataError('data.unknown_split', `${source}: ${problem}`, {
    hint: hintForName(rest, { names, kind: 'Splits' }),
  });
}

const aliases = [
  ['train', 'training'],
  ['validation', 'valid', 'val', 'dev'],
  ['test', 'testing', 'eval', 'evaluation'],
];

/** Splits that a name means: all, those of a config, a split of any config, or `config/split`. */
function matchingSplits(splits: readonly HubSplit[], name: string): HubSplit[] {
  const exact = splits.filter(({ config, split }) => fits(name, { config, words: [split] }));
  if (exact.length > 0) return exact;
  return splits.filter(({ config, split }) => {
    const words = aliases.find((group) => group.includes(split)) ?? [];
    return fits(name, { config, words });
  });
}

function fits(
  name: string,
  { config, words }: { readonly config: string; readonly words: readonly string[] },
): boolean {
  if (name === '' || name === config) return true;
  return words.some((word) => name === word || name === `${config}/${word}`);
}
