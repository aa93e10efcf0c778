import { existsSync, readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { DatasetClass } from '../compat/data/published/dataset-class.ts';
import { datasetClasses } from '../compat/data/published/read-published.ts';
import { asPlain, lastName, type Plain, pickKeys } from './plain-value.ts';
import type { TreeTexts } from './tree-texts.ts';

/** Where the rows of a dataset are, and how they are read. */
export interface RowFiles {
  readonly path: string;
  readonly published?: Plain;
  readonly holdsImages?: boolean | undefined;
}

/** Where OpenCompass keeps what it knows by a name of its own, in its `data/` folder. */
const knownPaths: Readonly<Record<string, string>> = {
  'opencompass/ai2_arc-test': 'ARC/ARC-c/ARC-Challenge-Test.jsonl',
  'opencompass/ai2_arc-easy-dev': 'ARC/ARC-e/ARC-Easy-Dev.jsonl',
  'opencompass/hellaswag_ice': 'hellaswag',
  'opencompass/openbookqa_fact': 'openbookqa/Additional/test_complete.jsonl',
  'opencompass/humaneval_cn': 'humaneval_cn/human-eval-cn-v2-20210705.jsonl',
  'opencompass/OCNLI-dev': 'CLUE/OCNLI/dev.json',
  'opencompass/advglue-dev': 'adv_glue/dev_ann.json',
  'opencompass/simpleqa-verified': 'simpleqa/simpleqa_verified.csv',
};

/** The published files of a dataset in a folder, if its class is one of those that are known. */
export function publishedFiles(
  entry: Plain,
  folder: string,
  textsOf: TreeTexts = () => undefined,
): RowFiles | undefined {
  const found = classOf(entry);
  const path = found && publishedPath(entry, folder);
  if (!found || path === undefined || !existsSync(path)) return undefined;
  const { settings = [], holdsImages } = found;
  const answers = givenAnswers(entry, folder);
  const { evaluator } = asPlain(entry.eval_cfg) ?? {};
  const isPlus = lastName(asPlain(evaluator)?.type) === 'HumanEvalPlusEvaluator';
  const tests = isPlus ? evalplusTestsIn(folder) : undefined;
  const published = {
    type: lastName(entry.type),
    ...pickKeys(entry, settings),
    ...textsOf(entry),
    ...(answers && { given_pred: answers }),
    ...(tests && { evalplus: tests }),
  };
  return { path, published, holdsImages };
}

/** The newest file of EvalPlus with more tests for HumanEval. */
export function evalplusTestsIn(folder: string): string | undefined {
  const place = join(folder, 'evalplus');
  const names = existsSync(place) ? readdirSync(place) : [];
  const found = names.filter((name) => /^HumanEvalPlus[^/]*\.jsonl(?:\.gz)?$/.test(name));
  const last = found
    .sort((left, right) => left.localeCompare(right, 'en', { numeric: true }))
    .at(-1);
  return last && join(place, last);
}

/** Files of answers of other models, which come with the dataset, by the abbr of the model. */
function givenAnswers(entry: Plain, folder: string): Readonly<Record<string, string>> | undefined {
  const rivals = listOf(entry.base_models).map((model) => model.abbr);
  const files = listOf(entry.given_pred)
    .filter(({ abbr }) => rivals.includes(abbr))
    .flatMap(({ abbr, path }): [string, string][] => {
      const found = pathIn(folder, String(path), '');
      const name = String(entry.abbr).split('/').at(-1);
      return found === undefined ? [] : [[String(abbr), join(found, `${name}.json`)]];
    });
  return files.length > 0 ? Object.fromEntries(files) : undefined;
}

function listOf(value: unknown): readonly Plain[] {
  const items = [value ?? []].flat() as unknown[];
  return items.map(asPlain).filter((item) => item !== undefined);
}

/** Where the published files of a dataset are looked for in a folder. */
export function publishedPath(entry: Plain, folder: string): string | undefined {
  const found = classOf(entry);
  if (!found) return undefined;
  const written = entry[found.key ?? 'path'];
  return pathIn(folder, typeof written === 'string' ? written : '', found.at);
}

function classOf(entry: Plain): DatasetClass | undefined {
  const type = lastName(entry.type);
  // OpenCompass's class of this name writes prompts of its own into the rows.
  const isOther = type === 'MTBenchDataset' && !String(entry.type).startsWith('ais_bench');
  return isOther || !Object.hasOwn(datasetClasses, type) ? undefined : datasetClasses[type];
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
