import { randomUUID } from 'node:crypto';
import { contentHash } from '../base/content-hash.ts';
import type { Config, DatasetConfig, ModelConfig } from '../config/config.ts';
import type { ConfigInput } from '../config/define-config.ts';
import { toConfig } from '../config/load-config.ts';
import { withLocation } from '../config/with-location.ts';
import { ConfigError } from '../errors.ts';
import type { LoglikelihoodModel } from '../model/loglikelihood.ts';
import { type Model, requireAbilities } from '../model/model.ts';
import type { Encode } from '../model/request-body.ts';
import { formatValue } from '../prompt/values.ts';
import { givesShots, type Retriever } from '../retrieve/retriever.ts';
import { prepareScorer } from '../score/open-scorer.ts';
import { maxOutLenReader, stopOf } from './answer-limits.ts';
import { chooseNamed } from './choose-named.ts';
import { createEvaluation } from './create-evaluation.ts';
import type { Evaluation } from './evaluation.ts';
import { openPrompts } from './evaluation-prompts.ts';
import { contextOf } from './fit-context.ts';
import { abilityFor } from './inference.ts';
import { inferenceOf } from './inference-of.ts';
import { type Judges, type Meter, openJudges } from './judges.ts';
import {
  encoderOf,
  type KnownModel,
  openModel,
  type Purpose,
  paceOf,
  withKwargs,
} from './open-model.ts';
import { openTaskRows, type TaskRows } from './open-rows.ts';
import type { EvaluationPrompts } from './prompt-setup.ts';
import { scorerOf } from './scorer-of.ts';
import { compatOf, setupOfConfig } from './setup-of-config.ts';

export interface OpenOptions {
  /** What the evaluations are opened for; `run` by default, so that models can be asked. */
  readonly purpose?: Purpose | undefined;
  /** Only these models and datasets, by their `abbr`. */
  readonly models?: readonly string[] | undefined;
  readonly datasets?: readonly string[] | undefined;
  /** Only some rows of each dataset. Positions are those of all rows. */
  readonly limit?: number | undefined;
  readonly ids?: Iterable<number> | undefined;
  readonly where?: string | undefined;
  /** Where `work_dir` is looked for; the working folder by default. */
  readonly startedIn?: string | undefined;
  /** Aborting it ends the opening; what is open by then is closed. */
  readonly signal?: AbortSignal | undefined;
  /** `ask`: judges can be asked, whatever the purpose; answers are to be scored. */
  readonly judges?: 'ask' | undefined;
  /** What an earlier run found out about models, by their `abbr`. */
  readonly known?: ReadonlyMap<string, KnownModel> | undefined;
  /** Rows and examples in place of those that the config names, by the `abbr` of the dataset. */
  readonly given?: ((dataset: string) => GivenRows) | undefined;
  /** Stands in for models and judges that are asked, where what is asked has to be counted. */
  readonly meter?: Meter | undefined;
  /** Stands in for the model where it has to choose examples: what it said before is known. */
  readonly rememberLoglikelihoods?:
    | ((
        model: Model,
        loglikelihoodModel: LoglikelihoodModel,
        config: ModelConfig,
      ) => Promise<LoglikelihoodModel>)
    | undefined;
}

/** Rows that are known, with their examples: nothing is read, and nothing is drawn. */
export interface GivenRows extends TaskRows {
  /** The examples of a row, by their places in the pool: those that fit. */
  readonly examplesOf: Retriever;
}

/** Evaluations that share models and judges; `close` lets go of them all. */
export interface Evaluations extends ReadonlyArray<Evaluation>, AsyncDisposable {
  close(): Promise<void>;
}

/**
 * Turns a config into its evaluations, each model on each dataset: the only place where config,
 * model, data and scoring meet. Nothing is sent but what it takes to find out how a server is asked.
 *
 * @example
 * const evaluations = await openEvaluations(await loadConfig('examples/sums.yaml'));
 * const [evaluation] = evaluations;
 * for await (const rows of evaluation.rows.batches()) {
 *   const { requests } = await evaluation.plan(rows[0]);
 *   requests[0].encoded; // '{"model":"…","prompt":"…","max_tokens":16}'
 * }
 * await evaluations.close();
 */
export async function openEvaluations(
  given: Config | ConfigInput,
  options: OpenOptions = {},
): Promise<Evaluations> {
  const config = await toConfig(given);
  const opener = new EvaluationOpener(config, options);
  try {
    const evaluations = await opener.open();
    const close = () => opener.close();
    return Object.assign(evaluations, { close, [Symbol.asyncDispose]: close });
  } catch (error) {
    await opener.close().catch(() => undefined);
    throw withLocation(config.written, error);
  }
}

/** Datasets whose files stay open until they are read; of many, the first ones. */
const maxHeads = 4;

class EvaluationOpener {
  readonly #config: Config;
  readonly #options: OpenOptions;
  readonly #purpose: Purpose;
  /** Models whose rules take the same rows share them. */
  readonly #rows = new Map<string, Promise<TaskRows>>();
  readonly #closers: (() => Promise<void> | undefined)[] = [];
  readonly #opened = randomUUID();

  constructor(config: Config, options: OpenOptions) {
    this.#config = config;
    this.#options = options;
    this.#purpose = options.purpose ?? 'run';
  }

  async open(): Promise<Evaluation[]> {
    const config = this.#config;
    const { known } = this.#options;
    const datasets = chooseNamed(config.datasets, this.#options.datasets, 'dataset');
    const purpose = this.#options.judges === 'ask' ? 'run' : this.#purpose;
    const { meter = (unmetered) => unmetered } = this.#options;
    const judges = await openJudges(config, { purpose, known, meter });
    this.#closers.push(judges.close);
    const evaluations: Evaluation[] = [];
    const { signal } = this.#options;
    for (const modelConfig of this.#models()) {
      signal?.throwIfAborted();
      const encode = modelConfig && (await encoderOf(config, modelConfig));
      const opened = await openModel(config, withKwargs(modelConfig), {
        purpose: this.#purpose,
        needsLikelihood: datasets.some(needsLikelihood),
        choosesExamples: datasets.some(choosesExamples),
        encode,
        identify: this.#purpose === 'plan' || known !== undefined,
        known: modelConfig && known?.get(modelConfig.abbr),
        signal,
      });
      const model = modelConfig ? meter(opened, modelConfig, encode) : opened;
      this.#closers.push(() => model.close());
      for (const dataset of datasets) {
        signal?.throwIfAborted();
        evaluations.push(await this.#evaluation({ modelConfig, model, dataset, encode, judges }));
      }
    }
    return evaluations;
  }

  async close(): Promise<void> {
    for (const rows of this.#rows.values()) {
      await rows.then(({ stream }) => stream.close?.()).catch(() => undefined);
    }
    this.#rows.clear();
    const closed = await Promise.allSettled(this.#closers.splice(0).map((close) => close()));
    const failed = closed.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Without a model prompts can be looked at, and nothing else. */
  #models(): readonly (ModelConfig | undefined)[] {
    const { models } = this.#config;
    const named = this.#options.models;
    if (this.#purpose === 'view' && models.length === 0 && !named) return [undefined];
    const asked = models.filter(({ abbr, judge }) => !judge || named?.includes(abbr));
    return chooseNamed(asked, named, 'model');
  }

  async #evaluation(parts: Parts): Promise<Evaluation> {
    const { model, judges, encode } = parts;
    const given = this.#options.given?.(parts.dataset.abbr);
    const dataset = given ? withoutChoice(parts.dataset) : parts.dataset;
    const config = this.#config;
    const modelConfig = parts.modelConfig && withFormat(parts.modelConfig, dataset);
    const { readerCfg, inferCfg, evalCfg } = dataset;
    const { inferencer } = inferCfg;
    requireAbilities(model, [abilityFor(inferencer.type)], inferencer.type);
    const rows = given ?? (await this.#rowsOf(dataset, modelConfig));
    // Which examples a view shows may be up to an embedder; a plan counts without it.
    const mayAsk = this.#purpose !== 'plan';
    const { startedIn } = this.#options;
    const task = await setupOfConfig({ config, dataset, model: modelConfig, mayAsk, startedIn });
    const fitted = {
      ...task,
      context: given ? undefined : contextOf(modelConfig, { dataset, encode }),
      loglikelihoodModel: given ? undefined : await this.#loglikelihoodModelFor(parts),
      examplesOf: given?.examplesOf,
    };
    const prompts = await openPrompts(fitted, { test: rows.samples, train: rows.pool });
    if (prompts.showsMedia) requireAbilities(model, ['vision'], 'a prompt with media');
    const scorerWith = (judgeNamed: Judges['judgeNamed']) =>
      scorerOf(
        { evalCfg, inferencer: inferCfg.inferencer.type, compat: task.compat },
        { source: dataset.source, judgeNamed },
      );
    const scorer = await scorerWith(judges.judgeNamed);
    const scoringNotes = this.#purpose === 'view' ? [] : await prepareScorer(evalCfg);
    return createEvaluation({
      model,
      modelName: modelConfig?.abbr ?? model.name,
      modelConfig,
      task: {
        name: dataset.abbr,
        inferencer: inferencer.type,
        compat: task.compat,
        mode: abilityFor(inferencer.type) === 'generate' ? prompts.mode : 'ppl',
        outputColumn: readerCfg.outputColumn,
        clusterBy: readerCfg.clusterBy,
        dataset,
      },
      rows: rows.stream,
      diagnostics: prompts.diagnostics,
      checkRow: prompts.checkRow,
      leaksOf: prompts.leaksOf,
      examplesAt: prompts.examplesAt,
      shape: {
        seed: prompts.seed,
        pool: givesShots(inferCfg.retriever) ? rows.pool : undefined,
        samples: rows.samples,
        format: task.model.format,
        estimatesLengths: fitted.context !== undefined && encode === undefined,
      },
      prepare: prompts.prepare,
      inference: await inferenceOf(fitted, prompts, dataset),
      maxOutLenOf: maxOutLenReader(dataset),
      stop: stopOf(modelConfig, inferencer),
      scorer,
      // Answers are scored again by another judge, and by functions, whose imports nobody sees.
      scorerIdentity: contentHash([
        evalCfg ?? null,
        task.compat ?? null,
        ...readingOf(inferencer, prompts),
        ...(scorer.judge ? [judges.identityOf(scorer.judge.name)] : []),
        ...(holdsFunction(evalCfg) ? [this.#opened] : []),
        // Records say which rows belong together.
        ...(readerCfg.clusterBy === undefined ? [] : [{ clusterBy: readerCfg.clusterBy }]),
      ]),
      scoringNotes,
      planScoring: (input) =>
        judges.collect(async (judgeNamed) => {
          const { judge, scoreLater } = await scorerWith(judgeNamed);
          // Others run code in their own time.
          if (judge) await scoreLater?.(input, new AbortController().signal);
        }),
      countTokens: encode && ((text) => encode(text).length),
      pace: paceOf(modelConfig),
    });
  }

  #rowsOf(dataset: DatasetConfig, model: ModelConfig | undefined): Promise<TaskRows> {
    const { limit, ids, where } = this.#options;
    const compat = compatOf(this.#config, model);
    const key = `${compat} ${dataset.abbr}`;
    const selection = {
      ...(limit !== undefined && { limit }),
      ...(ids && { ids: new Set(ids) }),
      ...(where !== undefined && { where }),
    };
    const hash = this.#purpose === 'run';
    const keepsHead = this.#rows.size < maxHeads;
    const options = { compat, selection, hash, keepsHead };
    const rows = this.#rows.get(key) ?? openTaskRows(this.#config, dataset, options);
    this.#rows.set(key, rows);
    return rows;
  }

  /** Whom a retriever asks that lets the model choose examples. */
  async #loglikelihoodModelFor({
    model,
    modelConfig,
    dataset,
  }: Parts): Promise<LoglikelihoodModel | undefined> {
    const { loglikelihoodModel } = model;
    if (!choosesExamples(dataset) || !modelConfig || !loglikelihoodModel) return undefined;
    if (!model.abilities.has('loglikelihood')) return undefined;
    const { rememberLoglikelihoods } = this.#options;
    if (rememberLoglikelihoods)
      return rememberLoglikelihoods(model, loglikelihoodModel, modelConfig);
    if (this.#purpose === 'run' || modelConfig.type === 'Local') return loglikelihoodModel;
    return { ...loglikelihoodModel, measure: () => refuseToMeasure(dataset, modelConfig) };
  }
}

interface Parts {
  readonly modelConfig: ModelConfig | undefined;
  readonly model: Model;
  readonly dataset: DatasetConfig;
  readonly encode: Encode | undefined;
  readonly judges: Judges;
}

/** A dataset whose examples are known: what would choose them is not opened. */
function withoutChoice(dataset: DatasetConfig): DatasetConfig {
  const { where: _, embedder: __, ...retriever } = dataset.inferCfg.retriever;
  return { ...dataset, inferCfg: { ...dataset.inferCfg, retriever } };
}

function needsLikelihood({ inferCfg }: DatasetConfig): boolean {
  return abilityFor(inferCfg.inferencer.type) !== 'generate' || choosesExamples({ inferCfg });
}

function choosesExamples({ inferCfg }: Pick<DatasetConfig, 'inferCfg'>): boolean {
  return inferCfg.retriever.type === 'MDLRetriever';
}

/** What decides which label loglikelihoods speak for, beside where answers begin. */
function readingOf(
  { type, normalizingStr, labels }: DatasetConfig['inferCfg']['inferencer'],
  prompts: Pick<EvaluationPrompts, 'labels'>,
): readonly unknown[] {
  if (abilityFor(type) === 'generate') return [];
  return [[type, normalizingStr ?? null, (prompts.labels ?? labels ?? []).map(formatValue)]];
}

async function refuseToMeasure(
  { inferCfg: { retriever } }: DatasetConfig,
  { abbr }: ModelConfig,
): Promise<never> {
  throw new ConfigError(
    'view.examples_by_loglikelihood',
    `${retriever.type} lets \`${abbr}\` choose the examples, and nothing is sent here`,
    {
      path: retriever.source,
      hint: 'See the prompts with a model of type Local, or in the report of a run.',
    },
  );
}

function holdsFunction(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'function';
  return Object.values(value).some(holdsFunction);
}

function withFormat(model: ModelConfig, { metaTemplate }: DatasetConfig): ModelConfig {
  return metaTemplate === undefined ? model : { ...model, metaTemplate, chatTemplate: undefined };
}
