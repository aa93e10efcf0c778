import { dirname, join, resolve } from 'node:path';
import type { Compat, DatasetConfig, ModelConfig } from '../../config/config.ts';
import { modelDefaults } from '../../config/run-defaults.ts';
import { compatOf, taskOfConfig } from '../../config/task-of-config.ts';
import { composeInference } from '../../infer/compose-inference.ts';
import { abilityFor, inferenceOf } from '../../infer/inference-of.ts';
import type { ContextLimit } from '../../infer/prompt-task.ts';
import { prepareTaskPrompts } from '../../infer/task-prompts.ts';
import type { Model } from '../../model/index.ts';
import { requireAbilities } from '../../model/model.ts';
import type { Encode } from '../../model/request.ts';
import type { Weigher } from '../../model/weigh.ts';
import { type Diagnostic, type Prompt, type Row, textOnly } from '../../prompt/index.ts';
import type { ModelTasks } from '../../run/execute.ts';
import { contentHash } from '../../run/key.ts';
import { recallWeights, rememberWeights } from '../../run/remember-weights.ts';
import { fileName, runFiles } from '../../run/run-folder.ts';
import type { TaskSettings } from '../../run/task-settings.ts';
import { compileScorer, perplexityScorer, prepareScorer, type Scorer } from '../../score/index.ts';
import { loadEncoder } from '../load-encoder.ts';
import type { Judges } from './judges.ts';
import { openModel } from './open-model.ts';
import type { OpenedRun } from './open-run.ts';
import { repeatsOf } from './row-repeats.ts';
import type { RunOptions } from './run-options.ts';
import { openTaskRows, type TaskRows } from './task-rows.ts';

/** A task with the rows it reads, for the record of the run. */
export interface BuiltTask {
  readonly settings: TaskSettings;
  readonly rows: TaskRows;
  /** What may be wrong with its templates. */
  readonly diagnostics: readonly Diagnostic[];
  /** What holds for its scoring on this machine, such as the limits of code that is run. */
  readonly scoringNotes: readonly string[];
}

export interface BuiltModel extends Omit<ModelTasks, 'tasks' | 'cache'> {
  readonly tasks: readonly BuiltTask[];
  readonly compat: Compat | undefined;
}

/** Everything that is to be asked, ready to run; nothing has been sent. */
export async function buildTasks(
  opened: OpenedRun,
  folder: string,
  options: RunOptions,
): Promise<BuiltModel[]> {
  const built: BuiltModel[] = [];
  for (const config of opened.models) {
    const encode = await encoderOf(opened, config);
    const maxConcurrency = options.concurrency ?? config.batchSize ?? modelDefaults.batchSize;
    const model = await openModel(opened, config, { options, encode, maxConcurrency });
    const memory = shotMemory(opened, { config, model, folder });
    const shotWeigher = memory?.weigher;
    const tasks: BuiltTask[] = [];
    for (const dataset of opened.datasets) {
      const parts = { config, dataset, model, folder, encode, options, shotWeigher };
      tasks.push(await buildTask(opened, parts));
    }
    built.push({
      model: memory ? { ...model, close: () => memory.close().then(() => model.close()) } : model,
      tasks,
      compat: compatOf(opened.config, config),
      maxConcurrency,
      requestsPerSecond: options.rps ?? config.maxRps,
      maxAttempts: options.retries ?? config.retries ?? modelDefaults.retries,
    });
  }
  return built;
}

interface MemoryParts {
  readonly config: ModelConfig;
  readonly model: Model;
  readonly folder: string;
}

/** How examples are weighed that a model has to choose: what it said once is kept. */
function shotMemory({ mayAsk, datasets }: OpenedRun, { config, model, folder }: MemoryParts) {
  const isNeeded = datasets.some(({ inferCfg }) => inferCfg.retriever.type === 'MDLRetriever');
  if (!isNeeded || !model.abilities.has('loglikelihood') || !model.weigher) return undefined;
  const memory = {
    folder: join(folder, fileName(config.abbr), 'weighed'),
    modelIdentity: contentHash(model.identity),
  };
  if (mayAsk) return rememberWeights(model.weigher, memory);
  const isHere = config.type === 'Local';
  const weigher = recallWeights(model.weigher, { ...memory, mayAsk: isHere });
  return { weigher, close: async () => undefined };
}

async function encoderOf({ config }: OpenedRun, model: ModelConfig): Promise<Encode | undefined> {
  if (model.tokenizer === undefined) return undefined;
  const file = resolve(dirname(config.file), model.tokenizer);
  return loadEncoder(file, [...model.source, 'tokenizer']);
}

interface TaskParts {
  readonly config: ModelConfig;
  readonly dataset: DatasetConfig;
  readonly model: Model;
  readonly folder: string;
  readonly encode: Encode | undefined;
  readonly options: RunOptions;
  readonly shotWeigher: Weigher | undefined;
}

async function buildTask(opened: OpenedRun, parts: TaskParts): Promise<BuiltTask> {
  const { dataset, model, folder, encode, options, shotWeigher } = parts;
  const config = withFormat(parts.config, dataset);
  const { readerCfg, inferCfg, evalCfg } = dataset;
  const { type } = inferCfg.inferencer;
  requireAbilities(model, [abilityFor(type)], type);
  const rows = await openTaskRows(opened, dataset, options);
  const task = await taskOfConfig({
    config: opened.config,
    dataset,
    model: config,
    mayAsk: opened.mayAsk,
  });
  const context = contextOf(config, encode, options.maxOutLen ?? config.maxOutLen ?? 0);
  const fitted = { ...task, context, weigher: shotWeigher };
  const prompts = prepareTaskPrompts(fitted, { test: rows.samples, train: rows.train });
  if (prompts.showsMedia) requireAbilities(model, ['vision'], 'a prompt with media');
  const files = runFiles(folder);
  const { stoppingCriteria } = inferCfg.inferencer;
  return {
    rows,
    diagnostics: prompts.diagnostics,
    scoringNotes: await prepareScorer(evalCfg),
    settings: {
      model: config.abbr,
      modelIdentity: contentHash(model.identity),
      dataset: dataset.abbr,
      rows: rows.stream.batches(),
      countRows: () => rows.stream.count(),
      prepare: prompts.prepare,
      inference: composeInference(inferenceOf(fitted, prompts), repeatsOf(dataset)),
      outputColumn: readerCfg.outputColumn,
      maxOutLenOf: maxOutLenReader(dataset, options.maxOutLen),
      stop: stoppingCriteria && [...(config.stop ?? []), ...stoppingCriteria],
      scorer: scorerOf(dataset, { compat: task.compat, judges: opened.judges }),
      scorerIdentity: contentHash([evalCfg ?? null, task.compat ?? null]),
      logFile: files.logFile(config.abbr, dataset.abbr),
      indexFile: files.indexFile(config.abbr, dataset.abbr),
    },
  };
}

function withFormat(model: ModelConfig, { metaTemplate }: DatasetConfig): ModelConfig {
  return metaTemplate === undefined ? model : { ...model, metaTemplate, chatTemplate: undefined };
}

function scorerOf(
  { evalCfg, inferCfg, source }: DatasetConfig,
  { compat, judges }: { readonly compat: Compat | undefined; readonly judges: Judges },
): Scorer {
  const measures = inferCfg.inferencer.type === 'PPLOnlyInferencer' && !evalCfg;
  return measures
    ? perplexityScorer
    : compileScorer(evalCfg, { compat, source, judgeNamed: judges.judgeNamed });
}

/** Without a tokenizer a token is taken to be three bytes of text, which errs on the safe side. */
function contextOf(
  { maxSeqLen }: ModelConfig,
  encode: Encode | undefined,
  maxOutLen: number,
): ContextLimit | undefined {
  if (maxSeqLen === undefined) return undefined;
  const countText = (text: string) =>
    encode?.(text).length ?? Math.ceil(Buffer.byteLength(text) / 3);
  const countTokens = (prompt: Prompt) =>
    prompt.type === 'text'
      ? countText(prompt.text)
      : prompt.messages.reduce((sum, { content }) => sum + countText(textOnly(content)), 0);
  return { maxTokens: maxSeqLen - maxOutLen, countTokens };
}

/** A row may set its own limit in a column `max_out_len` that is among the input columns. */
function maxOutLenReader(
  { readerCfg, inferCfg }: DatasetConfig,
  wanted: number | undefined,
): (row: Row) => number | undefined {
  const maxOutLen = wanted ?? inferCfg.inferencer.maxOutLen;
  if (!readerCfg.inputColumns.includes('max_out_len')) return () => maxOutLen;
  return (row) => {
    const own = Number(row.max_out_len);
    return Number.isInteger(own) && own > 0 ? own : maxOutLen;
  };
}
