import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lastName, type Plain } from './plain-value.ts';

/** Where the rows of a dataset are. */
export interface RowFiles {
  readonly path: string | Readonly<Record<string, string>>;
  readonly columns?: readonly string[];
}

const choiceColumns = ['input', 'A', 'B', 'C', 'D', 'target'];

/** The files of classes whose rows are used as they were published, in OpenCompass's `data/` layout. */
const layouts: Readonly<Record<string, (name: string) => RowFiles>> = {
  GSM8KDataset: () => ({ path: { train: 'gsm8k/train.jsonl', test: 'gsm8k/test.jsonl' } }),
  MMLUDataset: (name) => ({
    path: { dev: `mmlu/dev/${name}_dev.csv`, test: `mmlu/test/${name}_test.csv` },
    columns: choiceColumns,
  }),
  CEvalDataset: (name) => ({
    path: Object.fromEntries(
      ['dev', 'val', 'test'].map((split) => [
        split,
        `ceval/formal_ceval/${split}/${name}_${split}.csv`,
      ]),
    ),
  }),
  HumanevalDataset: () => ({ path: 'humaneval/human-eval-v2-20210705.jsonl' }),
  Aime2024Dataset: () => ({ path: 'aime.jsonl' }),
};

/** The published files of a dataset in a folder, if its class is one of those that are known. */
export function publishedFiles(entry: Plain, folder: string): RowFiles | undefined {
  const layout = layouts[lastName(entry.type)];
  if (!layout) return undefined;
  const { path, columns } = layout(String(entry.name ?? ''));
  const files = typeof path === 'string' ? { test: path } : path;
  const found = Object.entries(files)
    .map(([split, file]) => [split, join(folder, file)] as const)
    .filter(([, file]) => existsSync(file));
  if (found.length === 0) return undefined;
  const single = typeof path === 'string' ? found[0]?.[1] : undefined;
  return { path: single ?? Object.fromEntries(found), ...(columns && { columns }) };
}

/** The classes that `--data-dir` finds files for. */
export const knownDatasetClasses = Object.keys(layouts);
