import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ConfigError } from '../../../errors.ts';
import { entriesOf, isMapping } from '../../../prompt/mapping.ts';
import type { TaskYaml } from './read-task-yaml.ts';
import { parseTask } from './task-config.ts';

/** The names of builders that read files, which `data_files` names. */
const fileBuilders = new Set(['json', 'csv', 'parquet', 'text']);
const endings = ['.jsonl', '.json', '.parquet', '.csv', '.tsv'];

export interface SourceOptions {
  /** Where `data_files` and local datasets are looked for. */
  readonly folder: string;
  /** A folder of files named after tasks or datasets, and splits. */
  readonly dataDir?: string | undefined;
}

/** Where the rows of each split of a task are. */
export function dataSources(
  yaml: TaskYaml,
  options: SourceOptions,
): Readonly<Record<string, string>> {
  const { splits, fewshot, name } = parseTask(yaml);
  const wanted = [splits.test, splits.validation, splits.training, fewshot.split];
  const named = [...new Set(wanted.filter((split) => split !== undefined))];
  const sources = named.map((split) => [split, sourceOf(yaml, split, { ...options, name })]);
  return Object.fromEntries(sources);
}

interface NamedOptions extends SourceOptions {
  readonly name: string;
}

function sourceOf(yaml: TaskYaml, split: string, options: NamedOptions): string {
  const { dataset_path: path, dataset_name: config } = yaml;
  const { folder, dataDir, name } = options;
  const dataset = typeof path === 'string' ? path : '';
  const subset = config === undefined || config === null ? undefined : String(config);
  if (dataDir !== undefined) return inDataDir(split, { name, dataset, subset, dataDir });
  const given = dataFile(yaml, split);
  if (given !== undefined) return isAddress(given) ? given : resolve(folder, given);
  const local = resolve(folder, dataset);
  if (dataset !== '' && existsSync(local) && statSync(local).isDirectory()) {
    const found = fileOfSplit(subset ? join(local, subset) : local, split);
    if (found) return found;
    throw noFile(name, split, local);
  }
  if (dataset === '' || fileBuilders.has(dataset)) {
    throw new ConfigError('lm_eval.no_rows', `${name} names no data for the split \`${split}\``, {
      hint: 'Give a folder with --data-dir, or set `path` of the dataset to the files.',
    });
  }
  return `hf://datasets/${dataset}/${subset ?? 'default'}/${split}`;
}

function dataFile({ dataset_path, dataset_kwargs }: TaskYaml, split: string): string | undefined {
  if (!fileBuilders.has(String(dataset_path)) || !isMapping(dataset_kwargs)) return undefined;
  const files = Object.fromEntries(entriesOf(dataset_kwargs)).data_files;
  const own = isMapping(files) ? Object.fromEntries(entriesOf(files))[split] : files;
  const [first] = [own].flat();
  return typeof first === 'string' ? first : undefined;
}

function isAddress(source: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(source);
}

interface DataDirParts {
  readonly name: string;
  readonly dataset: string;
  readonly subset: string | undefined;
  readonly dataDir: string;
}

function inDataDir(split: string, { name, dataset, subset, dataDir }: DataDirParts): string {
  const folders = [
    join(dataDir, name),
    ...(subset === undefined ? [] : [join(dataDir, dataset, subset)]),
    join(dataDir, dataset),
    join(dataDir, basename(dataset)),
    dataDir,
  ];
  for (const folder of folders) {
    const found = fileOfSplit(folder, split);
    if (found) return found;
  }
  throw noFile(name, split, dataDir);
}

/** The file of a split in a folder: `test.jsonl`, or `test-00000-of-00001.parquet` and the like. */
function fileOfSplit(folder: string, split: string): string | undefined {
  for (const ending of endings) {
    const file = join(folder, `${split}${ending}`);
    if (existsSync(file)) return file;
  }
  for (const inner of [folder, join(folder, 'data')]) {
    const names = existsSync(inner) ? readdirSync(inner) : [];
    if (names.some((name) => name.startsWith(`${split}-`) && name.endsWith('.parquet'))) {
      return join(inner, `${split}-*.parquet`);
    }
  }
  return undefined;
}

function noFile(name: string, split: string, folder: string): ConfigError {
  return new ConfigError(
    'lm_eval.no_rows',
    `${name}: ${folder} has no file for the split \`${split}\``,
    { hint: `Put a file such as ${split}.jsonl into a folder \`${name}\` there.` },
  );
}
