import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { datasetClasses } from '../compat/data/published/read-published.ts';
import { lastName, type Plain, pickKeys } from './plain-value.ts';

/** Where the rows of a dataset are, and how they are read. */
export interface RowFiles {
  readonly path: string;
  readonly published?: Plain;
}

/** Where OpenCompass keeps what it knows by a name of its own, in its `data/` folder. */
const knownPaths: Readonly<Record<string, string>> = {
  'opencompass/ai2_arc-test': 'ARC/ARC-c/ARC-Challenge-Test.jsonl',
  'opencompass/ai2_arc-easy-dev': 'ARC/ARC-e/ARC-Easy-Dev.jsonl',
  'opencompass/hellaswag_ice': 'hellaswag',
  'opencompass/openbookqa_fact': 'openbookqa/Additional/test_complete.jsonl',
  'opencompass/humaneval_cn': 'humaneval_cn/human-eval-cn-v2-20210705.jsonl',
  'opencompass/OCNLI-dev': 'CLUE/OCNLI/dev.json',
  'opencompass/simpleqa-verified': 'simpleqa/simpleqa_verified.csv',
};

/** The published files of a dataset in a folder, if its class is one of those that are known. */
export function publishedFiles(entry: Plain, folder: string): RowFiles | undefined {
  const type = lastName(entry.type);
  const found = Object.hasOwn(datasetClasses, type) ? datasetClasses[type] : undefined;
  // OpenCompass's class of this name writes prompts of its own into the rows.
  const isOther = type === 'MTBenchDataset' && !String(entry.type).startsWith('ais_bench');
  if (!found || isOther) return undefined;
  const written = entry[found.key ?? 'path'];
  const given = typeof written === 'string' ? written : '';
  const path = pathIn(folder, given, found.at);
  if (path === undefined || !existsSync(path)) return undefined;
  return { path, published: { type, ...pickKeys(entry, found.settings ?? []) } };
}

/** Paths begin with the `data` folder that they are looked for in; names stand for what they hold. */
function pathIn(folder: string, given: string, usual: string): string | undefined {
  const inner = /^(?:\.\/)?(?:data|ais_bench\/datasets)\/(.*)$/s.exec(given)?.[1];
  if (inner !== undefined) return join(folder, inner);
  if (isAbsolute(given)) return given;
  const known = knownPaths[given] ?? usual;
  return known === '' ? undefined : join(folder, known);
}

/** The classes that `--data-dir` finds files for. */
export const knownDatasetClasses = Object.keys(datasetClasses);
