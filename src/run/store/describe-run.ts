import { createHash } from 'node:crypto';
import { basename, relative } from 'node:path';
import { version } from '../../base/version.ts';
import type { Config, DatasetConfig } from '../../config/config.ts';
import { hashFile } from '../../data/source/cache.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import { harness, rowHash } from '../../evaluation/key.ts';
import { suiteDatasetsOf } from '../../evaluation/suite-datasets.ts';
import { toPlain } from '../../prompt/mapping.ts';
import type { NamedRow } from '../../prompt/trace.ts';
import { describeModel, describeTokenizer } from './describe-model.ts';
import type { RunCommand, RunFile } from './run-file.ts';
import { recordedMetric } from './run-file-parts.ts';

export interface RunRecord {
  readonly command: RunCommand;
  /** The options that shaped the run, so that it can be repeated. */
  readonly settings: RunFile['settings'];
}

/** What is run, on which data, with which settings; values of headers may be secret and stay out. */
export async function describeRun(
  folder: string,
  config: Config,
  { evaluations, record }: { evaluations: readonly Evaluation[]; record: RunRecord },
): Promise<RunFile> {
  const tasks = firstOf(evaluations, ({ task }) => task.name);
  const datasets = tasks.flatMap(({ task }) => task.dataset ?? []);
  const data: RunFile['data'][number][] = [];
  for (const { rows, task, scoringNotes, shape } of tasks) {
    const { rowsRead: _, ...described } = await rows.describe();
    data.push({
      dataset: task.name,
      ...described,
      ...(scoringNotes.length > 0 && { scoring: scoringNotes }),
      ...(shape.seed !== undefined && { seed: shape.seed }),
      ...(shape.pool && { pool: { rows: shape.pool.length, hash: poolHash(shape.pool) } }),
    });
  }
  const templates: RunFile['templates'][number][] = [];
  for (const { abbr, stamp, type } of datasets) {
    const { dialect } = (await suiteDatasetsOf(type)) ?? {};
    if (stamp)
      templates.push({ dataset: abbr, ...(dialect !== undefined && { dialect }), ...stamp });
  }
  const started = process.cwd();
  const described = describeEvaluations(evaluations, record);
  const models: RunFile['models'][number][] = [];
  for (const model of described.models) {
    const own = config.models.find(({ abbr }) => abbr === model.name);
    models.push({ ...model, ...(await describeTokenizer(config, own)) });
  }
  return {
    ...described,
    models,
    ...(config.seed !== undefined && { seed: config.seed }),
    ...(config.file !== undefined && {
      config: basename(config.file),
      configSha256: await hashFile(config.file),
    }),
    folder: started,
    folderFromRun: relative(folder, started),
    templates,
    datasets: datasets.map(({ source: _, rows: __, stamp: ___, abbr, ...dataset }) => ({
      abbr,
      ...(toPlain(dataset) as object),
      ...recordedInference(
        dataset.inferCfg,
        evaluations.filter(({ task }) => task.name === abbr),
      ),
    })),
    data,
  };
}

/** How models were asked, which may be otherwise than the dataset has it: that of each where they differ. */
function recordedInference(
  inferCfg: DatasetConfig['inferCfg'],
  evaluations: readonly Evaluation[],
): Pick<RunFile['datasets'][number], 'inferCfg' | 'inferencers'> {
  const types = [...new Set(evaluations.map(({ task }) => task.inferencer))];
  const [type = inferCfg.inferencer.type] = types;
  if (types.length > 1) {
    const inferencers = evaluations.map(({ modelName, task }) => [modelName, task.inferencer]);
    return { inferencers: Object.fromEntries(inferencers) };
  }
  if (type === inferCfg.inferencer.type) return {};
  const { inferencer, ...rest } = toPlain(inferCfg) as { readonly inferencer: object };
  return { inferCfg: { ...rest, inferencer: { ...inferencer, type } } };
}

/** What every run says of itself, whatever its tasks come from. */
export function describeEvaluations(
  evaluations: readonly Evaluation[],
  { command, settings }: RunRecord,
): Omit<RunFile, 'templates' | 'datasets' | 'data'> {
  const named = evaluations.flatMap(({ judges = [] }) => judges);
  const judges = named.filter(
    ({ name }, index) => named.findIndex((one) => one.name === name) === index,
  );
  return {
    format: 2,
    typecase: version,
    command,
    settings,
    harness,
    models: firstOf(evaluations, ({ modelName }) => modelName).map(({ modelName }) =>
      describeModel(inOwnFormat(evaluations.filter((one) => one.modelName === modelName))),
    ),
    ...(judges.length > 0 && { judges }),
    metrics: firstOf(evaluations, ({ task }) => task.name).map(({ task, scorer }) =>
      recordedMetric(task.name, scorer),
    ),
  };
}

/** A model's own format shows in the tasks that use it: dialogues, without a format of their own. */
function inOwnFormat(evaluations: readonly Evaluation[]): Evaluation {
  const own = evaluations.filter(({ task }) => task.dataset?.metaTemplate === undefined);
  const found = own.find(({ shape }) => shape.format?.type !== 'plain') ?? own[0];
  return found ?? (evaluations[0] as Evaluation);
}

/** Hash of what rows hold, whatever file they come from. */
function poolHash(pool: readonly NamedRow[]): string {
  const hash = createHash('sha256');
  for (const { id, row } of pool) hash.update(`${id} ${rowHash(row)}\n`);
  return hash.digest('hex').slice(0, 32);
}

function firstOf(
  evaluations: readonly Evaluation[],
  keyOf: (evaluation: Evaluation) => string | undefined,
): Evaluation[] {
  const first = new Map<string | undefined, Evaluation>();
  for (const evaluation of evaluations) {
    if (!first.has(keyOf(evaluation))) first.set(keyOf(evaluation), evaluation);
  }
  return [...first.values()];
}
