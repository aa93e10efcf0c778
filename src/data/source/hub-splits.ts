import { basename, dirname } from 'node:path/posix';
import * as z from 'zod';
import { formatOfName } from '../format/detect-format.ts';
import { type DataFormat, dataFormats } from '../row-stream.ts';

const paths = z.union([z.string(), z.array(z.string())]);
const splitFiles = z.object({ split: z.string(), path: paths });
const configFiles = z.object({
  config_name: z.string(),
  default: z.boolean().optional(),
  data_files: z.union([
    paths.transform((path) => [{ split: 'train', path }]),
    splitFiles.transform((split) => [split]),
    z.array(splitFiles),
  ]),
});

/** What the hub says about a dataset at a revision. */
export const hubListing = z.object({
  sha: z.string(),
  siblings: z.array(z.object({ rfilename: z.string() })),
  cardData: z.object({ configs: z.array(configFiles).optional().catch(undefined) }).nullish(),
});

export type HubListing = z.output<typeof hubListing>;

/** The files of a split. Configs that are not declared are named by their folder. */
export interface HubSplit {
  readonly config: string;
  readonly split: string;
  readonly files: readonly string[];
  readonly isDefault: boolean;
}

/** The splits as the dataset's card declares them or, without that, as its files are named. */
export function listSplits({ siblings, cardData }: HubListing): HubSplit[] {
  const files = siblings
    .map(({ rfilename }) => rfilename)
    .filter((file) => formatOfName(file) !== undefined && !noData.test(file))
    .sort();
  const declared = (cardData?.configs ?? []).flatMap((config) =>
    config.data_files.map(({ split, path }) => ({
      config: config.config_name,
      split,
      files: matchingFiles(files, [path].flat()),
      isDefault: config.default ?? config.config_name === 'default',
    })),
  );
  const found = declared.filter((split) => split.files.length > 0);
  return found.length > 0 ? found : splitsByName(files);
}

const noData = /(?:^|\/)(?:\.|dataset_infos?\.json$)/;

/** In the order of the patterns, as the hub's own tools read them. */
function matchingFiles(files: readonly string[], patterns: readonly string[]): string[] {
  const found = patterns.flatMap((pattern) => files.filter((file) => matches(file, pattern)));
  return [...new Set(found)];
}

function matches(file: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (wildcard) => wildcards[wildcard] ?? '');
  return new RegExp(`^${source}$`).test(file);
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

function splitsByName(files: readonly string[]): HubSplit[] {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const key = JSON.stringify([configOf(file), splitOfFile(file)]);
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups].map(([key, members]) => {
    const [config, split] = JSON.parse(key) as [string, string];
    return { config, split, files: ofOneFormat(members), isDefault: config === 'default' };
  });
}

/** Datasets often hold the same rows in several formats. */
function ofOneFormat(files: readonly string[]): string[] {
  const preferred: readonly DataFormat[] = ['parquet', 'jsonl', 'csv', 'tsv', 'json'];
  const order = [...new Set([...preferred, ...dataFormats])];
  const best = order.find((format) => files.some((file) => formatOfName(file) === format));
  return files.filter((file) => formatOfName(file) === best);
}

const shard = /^(.+?)-\d{5}-of-\d{5}\./;
const splitWord =
  /(?:^|[^a-z])(train(?:ing)?|validation|valid|val|dev|test(?:ing)?|eval(?:uation)?)(?=[^a-z]|$)/i;

function splitOfFile(file: string): string {
  const name = basename(file);
  return (
    shard.exec(name)?.[1] ??
    splitWord.exec(name)?.[1] ??
    splitWord.exec(dirname(file))?.[1] ??
    'train'
  );
}

function configOf(file: string): string {
  const folders = dirname(file).split('/');
  const names = folders.filter((folder) => !['.', 'data', splitOfFile(file)].includes(folder));
  return names.join('/') || 'default';
}
