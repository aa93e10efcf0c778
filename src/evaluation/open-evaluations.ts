import { randomUUID } from 'node:crypto';
import type { Compat } from '../compat/compat.ts';
import { camelKeys } from '../config/camel-keys.ts';
import type {
  Config,
  DatasetConfig,
  EmbedderConfig,
  InferConfig,
  ModelConfig,
} from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { toConfig } from '../config/load-config.ts';
import { withLocation } from '../config/with-location.ts';
import { type RowSelection, selectRows } from '../data/select/select-rows.ts';
import { ConfigError, ModelError, ofModel } from '../errors.ts';
import type { LoglikelihoodModel } from '../model/loglikelihood.ts';
import { type Model, requireAbilities } from '../model/model.ts';
import type { Encode } from '../model/request-body.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import { formatValue } from '../prompt/values.ts';
import type { Embedder } from '../retrieve/embeddings/embedder.ts';
import { givesShots, type Retriever } from '../retrieve/retriever.ts';
import type { EmbedWith } from '../score/evaluators/scoring-parts.ts';
import { prepareScorer } from '../score/open-scorer.ts';
import type { Scorer, ScorerJudge } from '../score/scorer.ts';
import { firstSeed, maxOutLenReader, settingsOf, stopOf } from './answer-limits.ts';
import { stopBeforeAnswer } from './check-stops.ts';
import { chooseNamed } from './choose-named.ts';
import { createEvaluation } from './create-evaluation.ts';
import type { Evaluation } from './evaluation.ts';
import { openPrompts } from './evaluation-prompts.ts';
import { contextOf } from './fit-context.ts';
import { abilityFor } from './inference.ts';
import { inferenceOf } from './inference-of.ts';
import {
  type JudgeOptions,
  type Judges,
  judgeRemarks,
  type Meter,
  openJudges,
  seeingMedia,
  unseenMedia,
} from './judges.ts';
import {
  answersAsLabels,
  gluedChoices,
  goldDiagnostics,
  measuredDiagnostics,
} from './look-at-rows.ts';
import {
  encoderOf,
  type KnownModel,
  openModel,
  type Purpose,
  paceOf,
  withKwargs,
} from './open-model.ts';
import { openTaskRows, type TaskRows } from './open-rows.ts';
import type { OpeningProblems } from './opening-problems.ts';
import { type EvaluationPrompts, mediaDefaults, type PromptSetup } from './prompt-setup.ts';
import { identifyScorer, openingsOf, scorerOf } from './scorer-of.ts';
import { compatOf, isSpoken, setupOfConfig } from './setup-of-config.ts';
import { type SuiteDatasets, type SuiteParts, suiteDatasetsOf } from './suite-datasets.ts';

export interface OpenOptions {
  /** What the evaluations are opened for; `run` by default, so that models can be asked. */
  readonly purpose?: Purpose | undefined;
  /** Only these models and datasets, by their `abbr`. */
  readonly models?: readonly string[] | undefined;
  readonly datasets?: readonly string[] | undefined;
  /** Only some rows of each dataset. Positions are those of all rows. */
  readonly limit?: number | undefined;
  /** Row numbers, of each dataset the same or by its `abbr`. */
  readonly ids?: Iterable<number> | ReadonlyMap<string, Iterable<number>> | undefined;
  readonly where?: string | undefined;
  /** Where `work_dir` is looked for; the working folder by default. */
  readonly startedIn?: string | undefined;
  /** Aborting it ends the opening; what is open by then is closed. */
  readonly signal?: AbortSignal | undefined;
  /** How judges are asked, whatever the purpose; left out where answers are not to be scored. */
  readonly askJudge?: JudgeOptions['askJudge'];
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
    const { askJudge, meter = (unmetered) => unmetered } = this.#options;
    const purpose = askJudge ? 'run' : this.#purpose;
    const judges = await openJudges(config, { purpose, known, meter, askJudge });
    this.#closers.push(judges.close);
    const evaluations: Evaluation[] = [];
    let problems: OpeningProblems | undefined;
    const { signal } = this.#options;
    for (const modelConfig of this.#models()) {
      signal?.throwIfAborted();
      const encode = modelConfig && (await encoderOf(config, modelConfig));
      const asksLikelihood = await someNeedsLikelihood(datasets, modelConfig);
      if (asksLikelihood) await this.#refuseMediaTexts(datasets, modelConfig);
      const opened = await openModel(config, withKwargs(modelConfig), {
        purpose: this.#purpose,
        needsLikelihood: asksLikelihood,
        choosesExamples: datasets.some(choosesExamples),
        encode,
        identify: this.#purpose === 'plan' || known !== undefined,
        known: modelConfig && known?.get(modelConfig.abbr),
        signal,
      }).catch(async (error: unknown) => {
        const dataset = datasets.find(needsLikelihood);
        const named = ofModel(error, modelConfig);
        throw dataset ? await this.#withOffer(named, { dataset, modelConfig }) : named;
      });
      const model = modelConfig ? meter(opened, modelConfig, encode) : opened;
      this.#closers.push(() => model.close());
      for (const dataset of datasets) {
        signal?.throwIfAborted();
        await this.#evaluation({ modelConfig, model, dataset, encode, judges }).then(
          (evaluation) => evaluations.push(evaluation),
          async (error: unknown) => {
            const { OpeningProblems } = await import('./opening-problems.ts');
            problems ??= new OpeningProblems(config.written);
            problems.add(error);
          },
        );
      }
    }
    problems?.check();
    return evaluations;
  }

  async #refuseMediaTexts(
    datasets: readonly DatasetConfig[],
    model: ModelConfig | undefined,
  ): Promise<void> {
    const { refuseMediaTexts } = await import('./media/refuse-media-texts.ts');
    refuseMediaTexts(datasets, compatOf(this.#config, model));
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
    const suite = await suiteDatasetsOf(dataset.type);
    if (suite) return this.#suiteEvaluation(suite, parts);
    const modelConfig = parts.modelConfig && withFormat(parts.modelConfig, dataset);
    const { readerCfg, inferCfg, evalCfg } = dataset;
    const { inferencer } = inferCfg;
    const ability = abilityFor(inferencer.type);
    const isWritten = ability === 'generate';
    if (!model.abilities.has(ability)) await this.#refuse(parts);
    // Which examples a view shows may be up to an embedder; a plan counts without it.
    const mayAsk = this.#purpose !== 'plan';
    const { startedIn } = this.#options;
    const task = await setupOfConfig({ config, dataset, model: modelConfig, mayAsk, startedIn });
    const openings = openingsOf(inferCfg);
    const settings = { evalCfg, inferencer: inferencer.type, compat: task.compat, openings };
    const scorerWith = (judgeNamed: Judges['judgeNamed']) =>
      scorerOf(settings, {
        source: dataset.source,
        judgeNamed: seeingMedia(judgeNamed, task.media ?? { folder: '.', ...mediaDefaults }),
        onlyJudge: judges.onlyJudge,
        embedWith: this.#embedWith,
      });
    const scorer = await scorerWith(judges.judgeNamed);
    if (scorer.judge?.showsMedia && this.#purpose !== 'view') {
      await judges.requireVision(scorer.judge.name);
    }
    const rows = given ?? (await this.#rowsOf(dataset, modelConfig, scorer.columns));
    const fitted = {
      ...task,
      context: given ? undefined : contextOf(modelConfig, { dataset, encode }),
      loglikelihoodModel: given ? undefined : await this.#loglikelihoodModelFor(parts),
      examplesOf: given?.examplesOf,
    };
    const opened = await openPrompts(fitted, { test: rows.samples, train: rows.pool });
    const { prompts, seenOf } = await withSeen(opened, { task, judge: scorer.judge });
    if (prompts.showsMedia) requireAbilities(model, ['vision'], 'a prompt with media');
    const [sample] = rows.samples;
    const ofFormat = isWritten ? await stopsOfFormat(task, dataset) : [];
    if (task.compat && sample && !given && this.#purpose !== 'view') tryPrompts(prompts, sample);
    const stop = isWritten
      ? stopBeforeAnswer(prompts, { model: modelConfig, inferencer, ofFormat, row: sample })
      : undefined;
    const refused =
      stop ?? prompts.diagnostics.find(({ code }) => code === 'template.answer_in_earlier_turn');
    if (refused && !given && this.#purpose !== 'view') {
      throw new ConfigError(refused.code, refused.message, refused);
    }
    const tools = hasTools(inferCfg)
      ? (await import('./tools-of.ts')).toolsOf(dataset, { model, modelConfig })
      : undefined;
    const ownSettings = await settingsOf(modelConfig, inferencer);
    const scoringNotes = this.#purpose === 'view' ? [] : await prepareScorer(evalCfg, dataset);
    return createEvaluation({
      model,
      modelName: modelConfig?.abbr ?? model.name,
      modelConfig,
      judgeConfigs: judgeNames(scorer.judge).flatMap(
        (name) => (config.judges ?? config.models).find(({ abbr }) => abbr === name) ?? [],
      ),
      task: {
        name: dataset.abbr,
        inferencer: inferencer.type,
        compat: task.compat,
        mode: isWritten ? prompts.mode : 'ppl',
        outputColumn: readerCfg.outputColumn,
        clusterBy: readerCfg.clusterBy,
        dataset,
      },
      rows: rows.stream,
      diagnostics: [
        ...prompts.diagnostics,
        ...(stop ? [stop] : []),
        ...unseenMedia(prompts, { scorer, dataset }),
        ...judgeRemarks(scorer),
        ...measuredDiagnostics(dataset, {
          labels: prompts.labels,
          samples: rows.samples,
          selection: this.#selection(dataset),
          scorer,
        }),
        ...answersAsLabels(dataset, { labels: prompts.labels, head: rows.head }),
        ...(isWritten ? goldDiagnostics(dataset, { head: rows.head, scorer }) : []),
        ...(inferencer.type === 'CLPInferencer' && sample
          ? gluedChoices(dataset, askedChoices(prompts, { inferencer, sample }))
          : []),
        ...(await this.#formatDiagnostics(parts, task, { ...prompts, sample })),
      ],
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
      trials: fitted.loglikelihoodModel?.memory,
      inference: await inferenceOf(fitted, prompts, {
        dataset,
        scorer,
        seed: firstSeed(modelConfig, inferencer),
      }),
      maxOutLenOf: maxOutLenReader(dataset),
      stop: stopOf(modelConfig, inferencer, ofFormat),
      settings: tools ? { ...ownSettings, ...tools.settings } : ownSettings,
      loop: tools?.loop,
      isUnversioned: tools?.isUnversioned || 'start' in model.identity,
      scorer,
      // Answers are scored again by another judge, and by functions, whose imports nobody sees.
      scorerIdentity: identifyScorer(settings, [
        ...readingOf(inferencer, prompts, task.compat),
        // Which part of an answer is a thought.
        ...(isWritten && modelConfig?.thinking ? [{ thinking: modelConfig.thinking }] : []),
        ...judgeNames(scorer.judge).map(judges.identityOf),
        // Grades were shares of their scale once.
        ...(scorer.judge && scorer.metric === 'grade' ? [scorer.range] : []),
        ...(holdsFunction(evalCfg) ? [this.#opened] : []),
        // Records say which rows belong together.
        ...(readerCfg.clusterBy === undefined ? [] : [{ clusterBy: readerCfg.clusterBy }]),
      ]),
      judges: judgeNames(scorer.judge).map(judges.describe),
      seenOf,
      scoringNotes,
      ...(scorer.judge && { planScoring: judges.collector(scorerWith) }),
      countTokens: encode && ((text) => encode(text).length),
      tokenize: encode,
      pace: paceOf(modelConfig),
    });
  }

  /** Vectors for checks, by an embedder that is opened when it is first needed. */
  readonly #embedWith: EmbedWith = (embedder, path) => {
    if (!embedder) return undefined;
    const { startedIn, askJudge } = this.#options;
    const mayAsk = this.#purpose === 'run' || askJudge !== undefined;
    let opened: Promise<Embedder> | undefined;
    const open = async () => {
      const { openEmbedder } = await import('./open-embedder.ts');
      const settings = camelKeys(embedder) as unknown as EmbedderConfig;
      return openEmbedder(this.#config, settings, { at: path, mayAsk, startedIn });
    };
    return async (texts, options) => {
      opened ??= open();
      return (await opened).embed(texts, options);
    };
  };

  /** Refuses a model that cannot do what an inferencer needs. */
  async #refuse({ model, dataset, modelConfig }: Parts): Promise<void> {
    const { type } = dataset.inferCfg.inferencer;
    try {
      requireAbilities(model, [abilityFor(type)], type);
    } catch (error) {
      throw await this.#withOffer(error, { dataset, modelConfig });
    }
  }

  /** The error of a model that tells no likelihoods, and what can be done with it instead. */
  async #withOffer(
    error: unknown,
    { dataset, modelConfig: model }: Pick<Parts, 'dataset' | 'modelConfig'>,
  ): Promise<unknown> {
    const isMissing =
      error instanceof ModelError && /^model\.(?:ability_missing|no_logprobs)$/.test(error.code);
    if (!isMissing) return error;
    const { offerGeneration } = await import('./generation-form/offer-generation.ts');
    const samples = async () => (await this.#rowsOf(dataset, model, undefined)).samples;
    return offerGeneration(error, { config: this.#config, dataset, model, samples });
  }

  async #formatDiagnostics(
    { dataset, encode, ...parts }: Parts,
    { model: { format }, compat }: PromptSetup,
    prompts: EvaluationPrompts & { readonly sample: PositionedRow | undefined },
  ): Promise<readonly Diagnostic[]> {
    const { mode, answerPrefix: prefix, sample } = prompts;
    const model = parts.modelConfig && withFormat(parts.modelConfig, dataset);
    const isFormatted = model?.metaTemplate !== undefined || format.type === 'chat-template';
    const isChecked = isFormatted || encode !== undefined || prefix !== undefined;
    if (!model || !(isChecked || mayBeMarked(model, dataset))) return [];
    const { formatDiagnostics } = await import('./format-diagnostics.ts');
    return formatDiagnostics({
      model,
      dataset,
      format,
      mode,
      encode,
      prefix: compat ? undefined : prefix,
      prompt: sample && promptOfRow(prompts, sample),
    });
  }

  #suiteEvaluation(suite: SuiteDatasets, { dataset, model, modelConfig }: Parts) {
    const { folder } = this.#config;
    const select: SuiteParts['select'] = (rows) => selectRows(rows, this.#selection(dataset));
    const readFormat = async () => {
      if (!modelConfig) return { type: 'plain' } as const;
      const { formatOfModel } = await import('./setup-of-config.ts');
      return formatOfModel(this.#config, modelConfig);
    };
    return suite.open(dataset, { folder, model, modelConfig, readFormat, select });
  }

  #selection({ abbr }: DatasetConfig): Pick<RowSelection, 'ids' | 'limit' | 'where'> {
    const { limit, ids, where } = this.#options;
    return {
      ...(limit !== undefined && { limit }),
      ...(ids && { ids: new Set(ids instanceof Map ? ids.get(abbr) : (ids as Iterable<number>)) }),
      ...(where !== undefined && { where }),
    };
  }

  #rowsOf(
    dataset: DatasetConfig,
    model: ModelConfig | undefined,
    scored: Scorer['columns'],
  ): Promise<TaskRows> {
    const compat = compatOf(this.#config, model);
    const key = `${compat} ${dataset.abbr}`;
    const selection = this.#selection(dataset);
    const hash = this.#purpose === 'run';
    const keepsHead = this.#rows.size < maxHeads;
    const options = { compat, selection, scored, hash, keepsHead };
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

/** Prompts that are plain text, or are made as another system makes them, are in no format of ours. */
async function stopsOfFormat(
  { compat, model: { format } }: PromptSetup,
  dataset: DatasetConfig,
): Promise<readonly string[]> {
  if (compat || !isSpoken(dataset)) return [];
  if (format.type === 'plain' || (format.type === 'chat' && format.meta.stop.length === 0)) {
    return [];
  }
  const { formatStops } = await import('../prompt/format-stops.ts');
  return formatStops(format, dataset.inferCfg.promptTemplate?.config.template);
}

/** The first prompt of a row; nothing where none can be made of it yet. */
function promptOfRow(prompts: EvaluationPrompts, row: PositionedRow): Prompt | undefined {
  try {
    if (prompts.turnsOf) return prompts.turnsOf(row)[0];
    return prompts.labels
      ? prompts.labelPromptsOf(row).labels[0]?.prompt
      : prompts.promptOf(row).prompt;
  } catch {
    return undefined;
  }
}

/** The choices of a row, and what stands before those without a space of their own. */
function askedChoices(
  prompts: EvaluationPrompts,
  { inferencer, sample }: Pick<InferConfig, 'inferencer'> & { readonly sample: PositionedRow },
): { readonly context: string; readonly choices: readonly unknown[] } {
  const prompt = promptOfRow(prompts, sample);
  const choices = inferencer.labels ?? sample.row.choices;
  if (prompt?.type !== 'text' || !Array.isArray(choices)) return { context: '', choices: [] };
  const spaces = prompts.droppedSpaces?.(sample, prompts.promptOf(sample).shots) ?? '';
  return { context: prompt.text + spaces, choices };
}

/** Whether prompts of plain text may begin with a mark that a server adds. */
function mayBeMarked({ type }: ModelConfig, { inferCfg }: DatasetConfig): boolean {
  const { template } = (inferCfg.promptTemplate ?? inferCfg.iceTemplate)?.config ?? {};
  return type === 'OpenAICompletions' && typeof template === 'string' && template.startsWith('<');
}

interface Parts {
  readonly modelConfig: ModelConfig | undefined;
  readonly model: Model;
  readonly dataset: DatasetConfig;
  readonly encode: Encode | undefined;
  readonly judges: Judges;
}

/** Errors of the original come when a prompt is made: before anything is sent, if possible. */
function tryPrompts(prompts: EvaluationPrompts, row: PositionedRow): void {
  if (prompts.prepare) return;
  if (prompts.dialogue) prompts.dialogue.next(row, []);
  else if (prompts.labels) prompts.labelPromptsOf(row);
  else prompts.promptOf(row);
}

/** A dataset whose examples are known: what would choose them is not opened. */
function withoutChoice(dataset: DatasetConfig): DatasetConfig {
  const { where: _, embedder: __, ...retriever } = dataset.inferCfg.retriever;
  return { ...dataset, inferCfg: { ...dataset.inferCfg, retriever } };
}

function needsLikelihood({ inferCfg }: DatasetConfig): boolean {
  return abilityFor(inferCfg.inferencer.type) !== 'generate' || choosesExamples({ inferCfg });
}

async function someNeedsLikelihood(
  datasets: readonly DatasetConfig[],
  model: ModelConfig | undefined,
): Promise<boolean> {
  for (const dataset of datasets) {
    const suite = await suiteDatasetsOf(dataset.type);
    if (suite ? suite.takesLoglikelihoods(dataset, model) : needsLikelihood(dataset)) return true;
  }
  return false;
}

function choosesExamples({ inferCfg }: Pick<DatasetConfig, 'inferCfg'>): boolean {
  return inferCfg.retriever.type === 'MDLRetriever';
}

/** What decides which label loglikelihoods speak for, beside where answers begin. */
function readingOf(
  { type, normalizingStr, labels }: DatasetConfig['inferCfg']['inferencer'],
  prompts: Pick<EvaluationPrompts, 'labels'>,
  compat: Compat | undefined,
): readonly unknown[] {
  if (abilityFor(type) === 'generate') return [];
  return [
    [type, normalizingStr ?? null, (prompts.labels ?? labels ?? []).map(formatValue)],
    // Once this mode divided by the tokens that have a probability, as all others do.
    ...(compat === 'opencompass' ? ['all tokens'] : []),
  ];
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

function hasTools({ tools, responseFormat }: InferConfig): boolean {
  return tools !== undefined || responseFormat !== undefined;
}

function judgeNames(judge: ScorerJudge | undefined): readonly string[] {
  return judge ? [judge.name, ...(judge.others ?? [])] : [];
}

function holdsFunction(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'function';
  return Object.values(value).some(holdsFunction);
}

function withFormat(model: ModelConfig, { metaTemplate }: DatasetConfig): ModelConfig {
  return metaTemplate === undefined ? model : { ...model, metaTemplate, chatTemplate: undefined };
}

/** Prompts, and what a judge is shown of rows beside their texts. */
async function withSeen(
  prompts: EvaluationPrompts,
  { task, judge }: { readonly task: PromptSetup; readonly judge: Scorer['judge'] },
): Promise<{ readonly prompts: EvaluationPrompts; readonly seenOf?: Evaluation['seenOf'] }> {
  if (!judge?.showsMedia) return { prompts };
  const { withJudgeMedia } = await import('./media/judge-media.ts');
  const { inputColumns, media = { folder: '.', ...mediaDefaults } } = task;
  return withJudgeMedia(prompts, { judge, inputColumns, settings: media });
}
