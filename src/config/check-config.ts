import { basename, extname, parse } from 'node:path';
import type * as z from 'zod';
import { hintForName } from '../base/nearest-name.ts';
import { type ConfigPath, formatPath } from '../errors.ts';
import { entriesOf, type Mapping } from '../prompt/mapping.ts';
import { fewValues, type Problem, schemaProblems } from '../schema/schema-problems.ts';
import { buildInfer } from './build-infer.ts';
import { camelKeys } from './camel-keys.ts';
import type {
  Config,
  DatasetConfig,
  GroupMembers,
  ModelConfig,
  Notice,
  RowSource,
} from './config.ts';
import { withEquivalents } from './foreign-names.ts';
import type { DatasetGate } from './gate.ts';
import type { LoadedConfig } from './loaded-config.ts';
import { type ModelObject, modelSchema } from './model-schema.ts';
import { problemsError, type Report } from './problems.ts';
import { configSchema, type datasetSchema, type SummaryGroup } from './schema.ts';

type ModelOutput = z.output<typeof modelSchema>;
type DatasetOutput = z.output<typeof datasetSchema>;

/** Checks a config and gives it the form that the rest of the code uses. */
export function checkConfig(loaded: LoadedConfig): Config {
  const keys = entriesOf(loaded.value).map(([key]) => String(key));
  const result = configSchema(keys).safeParse(loaded.value, fewValues);
  if (!result.success) {
    throw problemsError(loaded, withEquivalents(schemaProblems(result.error.issues)));
  }
  const problems: Problem[] = [];
  const notices: Notice[] = [];
  const config = buildConfig(result.data, {
    problem: (problem) => problems.push(problem),
    notice: (path, message) => notices.push({ message, path, at: loaded.locate(path) }),
  });
  if (problems.length > 0) throw problemsError(loaded, problems);
  const { file, folder } = loaded;
  return { ...config, written: loaded, file, folder, notices };
}

/** The flag that a model is spelled by, and what it calls keys that configs call otherwise. */
export interface ModelFlag {
  readonly flag: string;
  readonly keys?: Readonly<Record<string, string>> | undefined;
}

/** Checks a model that a flag spells in the words of a config; messages name the flag. */
export function checkModel(value: Mapping, { flag, keys = {} }: ModelFlag): ModelConfig {
  const result = modelSchema.safeParse(value, fewValues);
  if (result.success) return buildModel(result.data, [flag]);
  const problems = schemaProblems(result.error.issues).map(({ path, ...problem }) => ({
    ...problem,
    path: [flag, ...path.map((key) => keys[key] ?? key)],
  }));
  throw problemsError({ locate: () => undefined, locateKey: () => undefined }, problems);
}

function buildConfig(
  data: z.output<ReturnType<typeof configSchema>>,
  report: Report,
): Omit<Config, 'written' | 'file' | 'folder' | 'notices'> {
  const models = entriesNamed<ModelOutput>(data, 'models').map(([source, model]) =>
    buildModel(model, source),
  );
  const datasets = entriesNamed<DatasetOutput>(data, 'datasets').map(([source, dataset]) =>
    buildDataset(dataset, source, report),
  );
  checkAbbrs(models, report);
  checkAbbrs(datasets, report);
  if (datasets.length === 0) {
    report.problem({
      code: 'config.missing_key',
      path: [],
      message: 'has no datasets',
      hint: 'Add `datasets`, or a list whose name ends in `_datasets`.',
    });
  }
  const groups = buildGroups(data.summarizer?.summary_groups, datasets, report);
  checkGates(datasets, models, report);
  const { compat, work_dir: workDir, seed, gate } = data;
  return { compat, models, datasets, workDir, groups, seed, gate: gate && camelKeys(gate) };
}

/** The entries of `models` and then of every list that ends in `_models`, with their paths. */
function entriesNamed<Entry>(data: object, name: 'models' | 'datasets'): [ConfigPath, Entry][] {
  const lists = Object.entries(data).filter(([key]) => key === name || key.endsWith(`_${name}`));
  return lists.flatMap(([key, list]: [string, Entry[] | undefined]) =>
    (list ?? []).map((entry, index): [ConfigPath, Entry] => [[key, index], entry]),
  );
}

function buildGroups(
  groups: readonly SummaryGroup[] | undefined,
  datasets: readonly Named[],
  report: Report,
): Config['groups'] {
  const names = datasets.map(({ abbr }) => abbr);
  for (const [index, { subsets, weights }] of (groups ?? []).entries()) {
    checkWeights({ subsets, weights }, { index, report });
    for (const [position, subset] of subsets.entries()) {
      if (names.includes(subset)) continue;
      const inner = groups?.find(({ name }) => name === subset);
      report.problem({
        code: 'config.unknown_dataset',
        path: ['summarizer', 'summary_groups', index, 'subsets', position],
        message: inner
          ? `is the group \`${subset}\`, but groups contain only datasets`
          : `is \`${subset}\`, which is not a dataset of this config`,
        hint: inner
          ? `Name its datasets: ${inner.subsets.join(', ')}.`
          : hintForName(subset, { names, kind: 'Datasets' }),
      });
    }
  }
  return groups && Object.fromEntries(groups.map((group) => [group.name, membersOf(group)]));
}

/** Each dataset of a weighted average counts for something, and nothing else does. */
function checkWeights(
  { subsets, weights }: Pick<SummaryGroup, 'subsets' | 'weights'>,
  { index, report }: { readonly index: number; readonly report: Report },
): void {
  if (!weights) return;
  const named = Object.keys(weights);
  const missing = subsets.find((subset) => !named.includes(subset));
  const other = named.find((name) => !subsets.includes(name));
  const isNothing = Object.values(weights).every((weight) => weight === 0);
  if (missing === undefined && other === undefined && !isNothing) return;
  report.problem({
    code: 'config.unknown_dataset',
    path: ['summarizer', 'summary_groups', index, 'weights'],
    message: isNothing
      ? 'are all 0'
      : missing === undefined
        ? `has \`${other}\`, which is not one of the \`subsets\``
        : `has no weight for \`${missing}\``,
    hint: 'Give every one of the `subsets` a weight, by its abbr.',
  });
}

function membersOf({ subsets, weights }: SummaryGroup): GroupMembers {
  return {
    datasets: subsets,
    ...(weights && { weights: subsets.map((subset) => weights[subset] ?? 0) }),
  };
}

function buildModel(model: ModelOutput, source: ConfigPath): ModelConfig {
  const { gate, ...settings } = camelKeys(model);
  const [baseUrl, ...otherUrls] = settings.baseUrl ?? [];
  const { path, file, generate, type, model: named } = settings;
  const object = typeof named === 'object' ? named : undefined;
  const name = typeof named === 'object' ? objectName(named) : named;
  return {
    ...settings,
    baseUrl,
    ...(otherUrls.length > 0 && { otherUrls }),
    model: typeof named === 'string' ? named : undefined,
    ...(object && { object, type: 'object' }),
    ...(generate && { type: type ?? 'function' }),
    source,
    abbr: model.abbr ?? basename(path ?? name ?? (file === undefined ? '' : parse(file).name)),
    ...(gate && { gate: camelKeys(gate) }),
  };
}

/** A model of the AI SDK has an id, one of the library a name. */
function objectName(model: ModelObject): string {
  return 'modelId' in model ? model.modelId : model.name;
}

interface Named {
  readonly abbr: string;
  readonly source: ConfigPath;
}

function checkAbbrs(entries: readonly Named[], report: Report): void {
  const seen = new Map<string, Named>();
  for (const entry of entries) {
    const { abbr, source } = entry;
    const first = seen.get(abbr);
    if (abbr === '') {
      report.problem({
        code: 'config.missing_key',
        path: source,
        key: 'abbr',
        message: 'has no `abbr`, and no path or model to name it after',
        hint: 'Add `abbr`: the short name that reports show.',
      });
    } else if (first) {
      report.problem({
        code: 'config.duplicate_abbr',
        path: source,
        key: 'abbr',
        message: `has the same \`abbr\` as ${formatPath(first.source)}: \`${abbr}\``,
        hint: 'Give each a different `abbr`: results are stored under it.',
      });
    } else {
      seen.set(abbr, entry);
    }
  }
}

/** Builds a dataset from its checked form. */
function buildDataset(
  dataset: z.output<typeof datasetSchema>,
  source: ConfigPath,
  report: Report,
): DatasetConfig {
  const { type, name, n, k, media, reader_cfg, infer_cfg, eval_cfg, gate } = dataset;
  const { lm_eval: lmEval } = dataset;
  const { trainSplit = 'train', testSplit = 'test', ...reader } = camelKeys(reader_cfg);
  const rowSource = rowSourceOf(dataset);
  return {
    source,
    abbr: dataset.abbr ?? deriveAbbr(rowSource, testSplit),
    type,
    name,
    rows: rowSource,
    stamp: stampOf(dataset),
    n,
    k: k === undefined ? undefined : [k].flat(),
    media: media && camelKeys(media),
    ...(lmEval && { lmEval: camelKeys(lmEval) }),
    readerCfg: { ...reader, trainSplit, testSplit },
    inferCfg: buildInfer(infer_cfg, [...source, 'infer_cfg'], report),
    evalCfg: eval_cfg && camelKeys(eval_cfg),
    ...(gate && { gate: buildGate(gate) }),
  };
}

function rowSourceOf({ path, rows, published }: z.output<typeof datasetSchema>): RowSource {
  if (published && path?.type === 'file') return { type: 'published', path: path.path, published };
  return path ?? rows ?? { type: 'inline', rows: [] };
}

function buildGate({ models, ...gate }: NonNullable<DatasetOutput['gate']>): DatasetGate {
  const own = Object.entries(models ?? {}).map(([name, ofModel]) => [name, camelKeys(ofModel)]);
  return { ...camelKeys(gate), ...(models && { models: Object.fromEntries(own) }) };
}

/** Refuses gates of models that are not there: they would hold nobody to anything. */
function checkGates(
  datasets: readonly DatasetConfig[],
  models: readonly Named[],
  report: Report,
): void {
  const names = models.map(({ abbr }) => abbr);
  for (const { source, gate } of datasets) {
    for (const name of Object.keys(gate?.models ?? {})) {
      if (names.includes(name)) continue;
      report.problem({
        code: 'config.unknown_model',
        path: [...source, 'gate', 'models'],
        key: name,
        message: `names \`${name}\`, which is not a model of this config`,
        hint: hintForName(name, { names, kind: 'Models' }),
      });
    }
  }
}

function stampOf({ task, version, version_hash: hash, dialect }: z.output<typeof datasetSchema>) {
  if (task === undefined || version === undefined || hash === undefined) return undefined;
  return { task, version, hash, ...(dialect !== undefined && { dialect }) };
}

function deriveAbbr(rows: RowSource, testSplit: string): string {
  const path = 'path' in rows ? rows.path : rows.type === 'files' && rows.paths[testSplit];
  return path ? basename(path, extname(path)) : '';
}
