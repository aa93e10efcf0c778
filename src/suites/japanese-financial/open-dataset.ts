import { resolve } from 'node:path';
import { packageFolder } from '../../base/package-folder.ts';
import type { DatasetConfig, ModelConfig, RowSource } from '../../config/config.ts';
import { ConfigError } from '../../errors.ts';
import { stopOf } from '../../evaluation/answer-limits.ts';
import { limitOf, uncountedLength } from '../../evaluation/cut-context.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { SuiteDatasets, SuiteParts } from '../../evaluation/suite-datasets.ts';
import { requireAbilities } from '../../model/model.ts';
import type { Diagnostic } from '../../prompt/diagnostics.ts';
import { defaultDialect } from './default-dialect.ts';
import { choiceMetrics } from './lm-eval/judge-reply.ts';
import { type PlannedTask, planTask } from './lm-eval/plan-task.ts';
import { type OpenedModel, taskEvaluation } from './lm-eval/task-evaluation.ts';
import { type Dialect, dialectNamed } from './templates/dialects.ts';
import { nameOf, type Task, taskCalled } from './templates/task-names.ts';
import { loadTemplate, systemPromptNote } from './templates/template.ts';

/** Datasets of the financial tasks in runs and sweeps. */
export const financialDatasets: SuiteDatasets = {
  dialect: defaultDialect,
  takesLoglikelihoods,
  open: openDataset,
  metricsOf: ({ task = '' }) => choiceMetrics(taskCalled(task) ?? 'cma_basics'),
};

/** Models that write messages tell no probabilities: there the choice that is mentioned first wins. */
function takesLoglikelihoods({ inferCfg }: DatasetConfig, model: ModelConfig | undefined): boolean {
  if (inferCfg.inferencer.type === 'GenInferencer') return false;
  if (!model) return true;
  const { type, object } = model;
  if (object) return 'abilities' in object && object.abilities.has('loglikelihood');
  return type === 'Local' || type === 'OpenAICompletions' || type === 'Dummy';
}

async function openDataset(
  dataset: DatasetConfig,
  { folder, model, modelConfig, select }: SuiteParts,
): Promise<Evaluation> {
  const { task, version, dialect } = stampOf(dataset);
  refuseSettings(dataset, modelConfig);
  const template = await loadTemplate(
    { name: nameOf(task, version), task, version },
    { dialect, systemPrompt: process.env.SYSTEM_PROMPT },
  );
  const planned = await planTask(template, {
    numFewshot: shotsOf(dataset),
    dataDir: dataFolder(dataset.rows, folder),
  });
  const config: ModelConfig = modelConfig ?? { abbr: model.name, source: [] };
  const opened: OpenedModel = {
    ...{ model, config },
    mode: takesLoglikelihoods(dataset, modelConfig) ? 'ppl' : 'gen',
    alsoNormalized: config.type === 'AISDK',
    limit: limitOf(model, config),
  };
  if (modelConfig && opened.mode === 'ppl') {
    requireAbilities(model, ['loglikelihood'], 'choosing by loglikelihood');
  }
  const { inferencer } = dataset.inferCfg;
  return taskEvaluation(planned, opened, {
    dataset,
    select,
    stop: stopOf(modelConfig, inferencer, []),
    maxOutLen: inferencer.maxOutLen,
    settings: opened.mode === 'gen' ? likeliest(modelConfig, inferencer) : undefined,
    diagnostics: [...notesOn(planned, dataset), ...uncountedLength(model, config)],
  }).evaluation;
}

/** The original asks for the likeliest answer; what a config says of the temperature holds. */
function likeliest(
  model: ModelConfig | undefined,
  { generationKwargs }: DatasetConfig['inferCfg']['inferencer'],
): Readonly<Record<string, unknown>> | undefined {
  const isSet = model?.generationKwargs?.temperature !== undefined;
  return isSet ? generationKwargs : { temperature: 0, ...generationKwargs };
}

interface NamedText {
  readonly task: Task;
  readonly version: string;
  readonly dialect: Dialect;
}

/** The task and the version; a dataset with a text of its own has none. */
function stampOf({ stamp, source, abbr }: DatasetConfig): NamedText {
  const task = stamp && taskCalled(stamp.task);
  if (stamp && task) {
    const { version, dialect = defaultDialect } = stamp;
    return { task, version, dialect: dialectNamed(dialect) };
  }
  throw new ConfigError('task.fixed_setting', `${abbr}: the task has its own prompts`, {
    path: [...source, 'infer_cfg'],
    hint: 'Choose one of its versions, such as `version: "0.2"`, and remove the templates.',
  });
}

/** Refuses what would have no effect, so that nobody takes it for done. */
function refuseSettings(dataset: DatasetConfig, model: ModelConfig | undefined): void {
  const { readerCfg, inferCfg, evalCfg, n, abbr, source } = dataset;
  const { retriever } = inferCfg;
  const isPlain = retriever.type === 'ZeroRetriever' || retriever.type === 'RandomRetriever';
  const given: Readonly<Record<string, unknown>> = {
    'reader_cfg.test_range': readerCfg.testRange,
    'reader_cfg.train_range': readerCfg.trainRange,
    [`retriever ${retriever.type}`]: isPlain ? undefined : retriever.type,
    'the seed of the retriever': retriever.seed,
    'retriever.where': retriever.where,
    eval_cfg: evalCfg,
    n,
    'a model format': dataset.metaTemplate ?? model?.metaTemplate ?? model?.chatTemplate,
  };
  const [found] =
    Object.entries(given).find(([, value]) => value !== undefined && value !== null) ?? [];
  if (found === undefined) return;
  throw new ConfigError('task.fixed_setting', `${abbr}: ${found} would have no effect`, {
    path: source,
    hint: 'Prompts, examples and scores of this task are those of the original harness: remove it.',
  });
}

function shotsOf({ inferCfg: { retriever } }: DatasetConfig): number {
  return retriever.type === 'ZeroRetriever' ? 0 : (retriever.iceNum ?? 1);
}

/** The folder of the data; nothing for the small set that comes with Typecase. */
function dataFolder(rows: RowSource, folder: string): string | undefined {
  const path =
    rows.type === 'file' ? rows.path : rows.type === 'files' ? rows.paths.test : undefined;
  if (path === undefined) {
    throw new ConfigError('task.fixed_setting', 'the task reads its documents from a folder', {
      hint: 'Set `path` to the folder, instead of `rows`.',
    });
  }
  const found = resolve(folder, path);
  return found === packageFolder('tasks', 'japanese-financial', 'data') ? undefined : found;
}

function notesOn({ template, data }: PlannedTask, { source }: DatasetConfig): Diagnostic[] {
  return [
    ...(data.isSynthetic
      ? [
          {
            code: 'task.synthetic_data',
            message: `${template.task}: these are synthetic documents and say little about a model`,
            hint: 'Use --data-dir for the real ones; in a config, set `path`.',
            path: source,
          },
        ]
      : []),
    ...(template.ignoresSystemPrompt
      ? [{ code: 'task.system_prompt', message: systemPromptNote(template), path: source }]
      : []),
  ];
}
