import type { ConfigPath } from '../errors.ts';
import { shownUrl } from '../model/endpoint-address.ts';
import type { Config, DatasetConfig, GroupMembers, ModelConfig, RowSource } from './config.ts';
import { type DatasetGate, writeRowLimit } from './gate.ts';
import { defaultWorkDir, modelDefaults } from './run-defaults.ts';

/** A value and its path in a config file. */
export type Setting = readonly [ConfigPath, unknown];

/** The config as a file would spell it, with defaults, and with secrets as `***`. */
export function spellConfig(config: Config): Setting[] {
  const { compat, workDir = defaultWorkDir, seed, gate, groups, models, datasets } = config;
  const summaryGroups = Object.entries(groups ?? {}).map(([name, group]) =>
    spellGroup(name, group),
  );
  return [
    [['compat'], compat],
    [['seed'], seed],
    [['work_dir'], workDir],
    [['gate'], gate && spellGate(gate)],
    ...models.map((model): Setting => [model.source, modelSettings(model)]),
    ...datasets.map((dataset): Setting => [dataset.source, datasetSettings(dataset)]),
    [['summarizer', 'summary_groups'], groups && summaryGroups],
  ];
}

function modelSettings({ source: _, abbr, object, generate, ...model }: ModelConfig): object {
  const { baseUrl, otherUrls = [], headers, options, gate } = model;
  return snakeKeys({
    abbr,
    ...model,
    otherUrls: undefined,
    ...(object && { type: undefined, model: '(a model object)' }),
    generate: nameFunction(generate),
    ...(model.type && Object.fromEntries(missingEntries(modelDefaults, model))),
    ...(baseUrl !== undefined && { baseUrl: spellUrls([baseUrl, ...otherUrls]) }),
    ...(headers && { headers: mapValues(headers, () => hidden) }),
    ...(options && { options: mapValues(options, hideSecret) }),
    ...(gate && { gate: spellGate(gate) }),
  });
}

function spellUrls(addresses: readonly string[]): string | readonly string[] {
  const [first = '', ...others] = addresses.map(shownUrl);
  return others.length === 0 ? first : [first, ...others];
}

function datasetSettings(dataset: DatasetConfig): object {
  const { abbr, type, name, rows, readerCfg, inferCfg, evalCfg, gate } = dataset;
  const { source: _, embedder, retrieve, ...retriever } = inferCfg.retriever;
  const { source: __, ...inferencer } = inferCfg.inferencer;
  return {
    abbr,
    type,
    name,
    ...rowSettings(rows),
    reader_cfg: snakeKeys(readerCfg),
    infer_cfg: {
      ice_template: inferCfg.iceTemplate?.config,
      prompt_template:
        inferCfg.promptTemplate && mapValues({ ...inferCfg.promptTemplate.config }, nameFunction),
      retriever: {
        ...snakeKeys(retriever),
        embedder: embedder && snakeKeys(embedder),
        retrieve: nameFunction(retrieve),
      },
      tools: inferCfg.tools?.map((tool) => mapValues({ ...tool }, nameFunction)),
      max_turns: inferCfg.maxTurns,
      response_format: inferCfg.responseFormat,
      inferencer: snakeKeys(inferencer),
    },
    eval_cfg: evalCfg && snakeKeys({ ...evalCfg, evaluator: spellEvaluator(evalCfg.evaluator) }),
    gate: gate && spellGate(gate),
  };
}

function spellGate({ failUnder, maxUnscored, allowFailed, models }: DatasetGate): object {
  return {
    fail_under: failUnder,
    max_unscored: maxUnscored && writeRowLimit(maxUnscored),
    allow_failed: allowFailed && writeRowLimit(allowFailed),
    models: models && mapValues(models, spellGate),
  };
}

function spellGroup(name: string, { datasets, weights }: GroupMembers): object {
  const named = datasets.map((dataset, index) => [dataset, weights?.[index]] as const);
  return { name, subsets: datasets, ...(weights && { weights: Object.fromEntries(named) }) };
}

/** Rows that stand in the config are counted, not repeated. */
function rowSettings(rows: RowSource): object {
  switch (rows.type) {
    case 'file':
      return { path: rows.path };
    case 'files':
      return { path: rows.paths };
    case 'published':
      return { path: rows.path, published: rows.published };
    case 'inline':
      return { rows: countRows(rows.rows) };
    case 'inline-splits':
      return { rows: mapValues(rows.splits, countRows) };
  }
}

function countRows({ length }: readonly unknown[]): string {
  return `${length} row${length === 1 ? '' : 's'}`;
}

function nameFunction(value: unknown): unknown {
  return typeof value === 'function' ? 'a function' : value;
}

/** An evaluator, or a list of checks. */
function spellEvaluator(evaluator: unknown): unknown {
  if (Array.isArray(evaluator)) return evaluator.map(spellEvaluator);
  return mapValues(evaluator as Readonly<Record<string, unknown>>, nameFunction);
}

const hidden = '***';
const secretName = /key|token|secret|password|auth|credential/i;

/** Options of provider packages hold keys and headers. */
function hideSecret(value: unknown, name: string): unknown {
  if (secretName.test(name) || typeof value === 'object') return hidden;
  return typeof value === 'string' ? shownUrl(value) : value;
}

function missingEntries(defaults: object, given: object): [string, unknown][] {
  return Object.entries(defaults).filter(
    ([key]) => (given as Record<string, unknown>)[key] === undefined,
  );
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

function snakeKeys(value: object): object {
  const entries = Object.entries(value).map(([key, item]) => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    item,
  ]);
  return Object.fromEntries(entries);
}
