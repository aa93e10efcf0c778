import { dirname } from 'node:path';
import { dialogueReader } from '../data/dialogue/dialogue-rows.ts';
import { opencompassRange } from '../data/opencompass-range.ts';
import { readRows } from '../data/read-rows.ts';
import { selectRange } from '../data/row-range.ts';
import { type ConfigPath, DataError, formatPath, TypecaseError } from '../errors.ts';
import type { TaskData } from '../infer/task-prompts.ts';
import { nearestName } from '../nearest-name.ts';
import type { NamedRow, Row } from '../prompt/index.ts';
import { givesShots } from '../retrieve/index.ts';
import type { Config, DatasetConfig } from './config.ts';

/** Reads the rows of a data set: those to ask about and, if there are examples, their pool. */
export async function loadTaskData(
  { file, compat }: Pick<Config, 'file' | 'compat'>,
  dataset: DatasetConfig,
): Promise<TaskData> {
  const { readerCfg, inferCfg, source } = dataset;
  const readSplit = openSplits(dataset, dirname(file));
  const select = compat ? opencompassRange : selectRange;
  const read = async (side: 'test' | 'train'): Promise<NamedRow[]> => {
    const path = [...source, 'reader_cfg'];
    const rows = await readSplit(readerCfg[`${side}Split`], [...path, `${side}_split`]);
    const range = readerCfg[`${side}Range`];
    const kept = await atPath([...path, `${side}_range`], () => select(rows.length, range));
    return kept.flatMap((index) => rows[index] ?? []);
  };
  return {
    test: await read('test'),
    train: givesShots(inferCfg.retriever) ? await read('train') : [],
  };
}

type ReadSplit = (split: string, path: ConfigPath) => Promise<readonly NamedRow[]>;

/** A file is read once, so that a row that serves as test and train is the same row. */
function openSplits({ rows, source, type }: DatasetConfig, folder: string): ReadSplit {
  const toLists = dialogueReader(type) ?? ((row: Row) => row);
  const nameRows = (list: readonly Row[]) => list.map((row, id) => ({ id, row: toLists(row) }));
  const files = new Map<string, Promise<NamedRow[]>>();
  const readOnce = (name: string, path: ConfigPath) => {
    const known =
      files.get(name) ??
      atPath(path, async () => {
        const read = await readRows(name, { folder });
        return read.map(({ id, row }) => ({ id, row: toLists(row) }));
      });
    files.set(name, known);
    return known;
  };
  return async (split, path) => {
    switch (rows.type) {
      case 'file':
        return readOnce(rows.path, [...source, 'path']);
      case 'files':
        return readOnce(splitOf(rows.paths, split, path), [...source, 'path', split]);
      case 'inline':
        return nameRows(rows.rows);
      case 'inline-splits':
        return nameRows(splitOf(rows.splits, split, path));
    }
  };
}

/** What stands for a split; `path` is where the split is named. */
export function splitOf<Value>(
  splits: Readonly<Record<string, Value>>,
  split: string,
  path: ConfigPath,
): Value {
  const value = Object.hasOwn(splits, split) ? splits[split] : undefined;
  if (value !== undefined) return value;
  const names = Object.keys(splits);
  const near = nearestName(split, names);
  throw new DataError(
    'data.unknown_split',
    `${formatPath(path)}: the data set has no split \`${split}\``,
    { path, hint: `${near ? `Did you mean \`${near}\`? ` : ''}Splits: ${names.join(', ')}.` },
  );
}

/** Runs a step and says where in the config its input stands, if the step cannot know. */
export async function atPath<Result>(
  path: ConfigPath,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (!TypecaseError.isInstance(error) || error.at || error.path) throw error;
    const { code, message, hint, cause } = error;
    throw new DataError(code, message, { hint, cause, path });
  }
}
