import { resolve } from 'node:path';
import { hintForName } from '../../../base/nearest-name.ts';
import { heldRows, type RowStream } from '../../../data/row-stream.ts';
import { ConfigError, type ConfigPath, DataError, formatPath } from '../../../errors.ts';
import { entriesOf, isMapping } from '../../../prompt/mapping.ts';
import type { Row } from '../../../prompt/values.ts';
import type { Component } from '../../../score/component/component.ts';
import { answerClasses } from './answer-classes.ts';
import { choiceClasses } from './choice-classes.ts';
import { codeClasses } from './code-classes.ts';
import { at, type DatasetClasses, type PublishedRows } from './dataset-class.ts';
import { languageClasses } from './language-classes.ts';
import { longTextClasses } from './long-text-classes.ts';
import { mediaClasses } from './media-classes.ts';
import { needleClasses } from './needle-classes.ts';
import { pictureClasses } from './picture-classes.ts';
import { promptedClasses } from './prompted-classes.ts';
import { PublishedFiles } from './published-files.ts';
import { subjectiveClasses } from './subjective-classes.ts';

const plainClasses: DatasetClasses = {
  ...choiceClasses,
  ...answerClasses,
  ...codeClasses,
  ...languageClasses,
  ...longTextClasses,
  ...mediaClasses,
  ...needleClasses,
  ...pictureClasses,
  ...promptedClasses,
  ...subjectiveClasses,
};

/** Those that ask in all orders of the options: here `eval_cfg.circular` does. */
const circularBases: Readonly<Record<string, string>> = {
  CircularCEvalDataset: 'CEvalDataset',
  CircularMMLUDataset: 'MMLUDataset',
  CircularCMMLUDataset: 'CMMLUDataset',
  CircularCSQADataset: 'commonsenseqaDataset',
  CircularARCDataset: 'ARCDataset',
  CircularHSWAGDataset: 'HellaswagDataset_V2',
  CircularOBQADataset: 'OBQADataset',
  CircularRaceDataset: 'RaceDataset',
  CircularsiqaDataset: 'SiqaDatasetV3',
  CircularPIQADataset: 'PIQADatasetV2',
  CircularCustomDataset: 'CustomDataset',
};

/** Dataset classes whose published files can be read, by their names. */
export const datasetClasses: DatasetClasses = {
  ...plainClasses,
  ...Object.fromEntries(
    Object.entries(circularBases).flatMap(([name, base]) => {
      const found = plainClasses[base];
      return found ? [[name, found]] : [];
    }),
  ),
};

interface PublishedSource {
  /** What is relative to the folder of the config. */
  readonly path: string;
  readonly published: Component;
  readonly folder: string;
  /** Where the dataset stands in the config. */
  readonly source: ConfigPath;
}

export interface PublishedSplits {
  readonly isOneList: boolean;
  /** The rows of a split; `key` says where it is named. */
  readonly split: (name: string, key: string) => RowStream;
}

/** Reads the published files of a dataset as its class does. */
export async function readPublished({
  path,
  published,
  folder,
  source,
}: PublishedSource): Promise<PublishedSplits> {
  const { type, given_pred: given, ...settings } = published;
  const found = Object.hasOwn(datasetClasses, type) ? datasetClasses[type] : undefined;
  if (!found) {
    const names = Object.keys(datasetClasses);
    const at = [...source, 'published'];
    throw new ConfigError(
      'config.unknown_type',
      `${formatPath(at)} has the unknown type \`${type}\``,
      { path: [...at, 'type'], hint: hintForName(type, { names, kind: 'Available' }) },
    );
  }
  const files = await PublishedFiles.open(resolve(folder, path));
  const rows = await withAnswers(await found.read(files, settings), files, given);
  const stream = (list: readonly Row[]): RowStream => ({
    ...heldRows(list.map((row, id) => ({ id, row }))),
    describe: async () => ({ files: [...files.read.values()], rowsRead: list.length }),
  });
  const isSame = (value: typeof rows): value is readonly Row[] => Array.isArray(value);
  if (isSame(rows)) return { isOneList: true, split: () => stream(rows) };
  return {
    isOneList: false,
    split(name, key) {
      const list = Object.hasOwn(rows, name) ? rows[name] : undefined;
      if (list) return stream(list);
      throw new DataError(
        'data.unknown_split',
        `${formatPath([...source, 'reader_cfg', key])}: the dataset has no split \`${name}\``,
        {
          path: [...source, 'reader_cfg', key],
          hint: hintForName(name, { names: Object.keys(rows), kind: 'Splits' }),
        },
      );
    },
  };
}

/** Adds columns with the answers of other models, in the form in which OpenCompass keeps predictions. */
async function withAnswers(
  rows: PublishedRows,
  files: PublishedFiles,
  given: unknown,
): Promise<PublishedRows> {
  if (!isMapping(given) || !Array.isArray(rows)) return rows;
  const columns: [string, unknown][] = [];
  for (const [model, path] of entriesOf(given)) {
    const answers = await PublishedFiles.open(String(path));
    columns.push([String(model), await answers.json()]);
    for (const [name, file] of answers.read) files.read.set(name, file);
  }
  return (rows as readonly Row[]).map((row, index) => ({
    ...row,
    ...Object.fromEntries(
      columns.map(([model, answers]) => [model, at(answers, String(index), 'prediction') ?? null]),
    ),
  }));
}
