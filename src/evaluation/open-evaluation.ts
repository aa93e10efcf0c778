import type { Compat } from '../compat/compat.ts';
import { camelKeys } from '../config/camel-keys.ts';
import type { DatasetConfig, EmbedderConfig, InferConfig, ModelConfig } from '../config/config.ts';
import { selectRows } from '../data/select/select-rows.ts';
import { ConfigError } from '../errors.ts';
import type { LoglikelihoodModel } from '../model/loglikelihood.ts';
import { type Model, requireAbilities } from '../model/model.ts';
import type { Encode } from '../model/request-body.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import { formatValue } from '../prompt/values.ts';
import type { Embedder } from '../retrieve/embeddings/embedder.ts';
import { givesShots } from '../retrieve/retriever.ts';
import type { EmbedWith } from '../score/evaluators/scoring-parts.ts';
import { prepareScorer } from '../score/open-scorer.ts';
import type { Scorer, ScorerJudge } from '../score/scorer.ts';
import { firstSeed, maxOutLenReader, settingsOf, stopOf } from './answer-limits.ts';
import { createEvaluation } from './create-evaluation.ts';
import type { Evaluation } from './evaluation.ts';
import { diagnosticsOf, stopBeforeAnswer } from './evaluation-diagnostics.ts';
import { openPrompts } from './evaluation-prompts.ts';
import { contextOf } from './fit-context.ts';
import { abilityFor } from './inference.ts';
import { inferenceOf } from './inference-of.ts';
import { type Judges, seeingMedia } from './judges.ts';
import { paceOf } from './open-model.ts';
import type { TaskRows } from './open-rows.ts';
import type { Opening } from './opening.ts';
import { type EvaluationPrompts, mediaDefaults, type PromptSetup } from './prompt-setup.ts';
import { identifyScorer, openingsOf, scorerOf } from './scorer-of.ts';
import { isSpoken, setupOfConfig } from './setup-of-config.ts';
import { type SuiteDatasets, type SuiteParts, suiteDatasetsOf } from './suite-datasets.ts';
import { isDialogue } from './task-prompts.ts';

/** A model and what it is asked about. */
interface Parts {
  readonly modelConfig: ModelConfig | undefined;
  readonly model: Model;
  readonly dataset: DatasetConfig;
  readonly encode: Encode | undefined;
}

/** Opens one model on one dataset. */
export async function openEvaluation(parts: Parts, opening: Opening): Promise<Evaluation> {
  const { model, encode } = parts;
  const { config, options, purpose, judges } = opening;
  const given = options.given?.(parts.dataset.abbr);
  const dataset = given ? withoutChoice(parts.dataset) : parts.dataset;
  const suite = await suiteDatasetsOf(dataset.type);
  if (suite) return suiteEvaluation(suite, parts, opening);
  const modelConfig = parts.modelConfig && withFormat(parts.modelConfig, dataset);
  const { readerCfg, inferCfg, evalCfg } = dataset;
  const { inferencer } = inferCfg;
  const ability = abilityFor(inferencer.type);
  const isWritten = ability === 'generate';
  if (!model.abilities.has(ability)) await refuse(parts, opening);
  // Which examples a view shows may be up to an embedder; a plan counts without it.
  const mayAsk = purpose !== 'plan';
  const { startedIn } = options;
  const task = await setupOfConfig({ config, dataset, model: modelConfig, mayAsk, startedIn });
  const openings = openingsOf(inferCfg);
  const isInTurns = isDialogue({ compat: task.compat, ...inferCfg });
  const settings = {
    ...{ evalCfg, inferencer: inferencer.type, compat: task.compat, openings },
    isInTurns,
  };
  const scorerWith = (judgeNamed: Judges['judgeNamed']) =>
    scorerOf(settings, {
      source: dataset.source,
      judgeNamed: seeingMedia(judgeNamed, task.media ?? { folder: '.', ...mediaDefaults }),
      onlyJudge: judges.onlyJudge,
      embedWith: embedderOf(opening),
    });
  const ofConfig = await scorerWith(judges.judgeNamed);
  const rows = given ?? (await opening.rowsOf(dataset, modelConfig, ofConfig));
  const scorer = ofConfig.withRows?.(rowsWithJudges(rows)) ?? ofConfig;
  if (scorer.judge?.showsMedia && purpose !== 'view') {
    await judges.requireVision(scorer.judge.name);
  }
  const fitted = {
    ...task,
    context: given ? undefined : contextOf(modelConfig, { dataset, encode }),
    loglikelihoodModel: given ? undefined : await loglikelihoodModelFor(parts, opening),
    examplesOf: given?.examplesOf,
  };
  const { samples: test, pool: train, isOneList } = rows;
  const opened = await openPrompts(fitted, { test, train, isOneList });
  const { prompts, seenOf } = await withSeen(opened, { task, judge: scorer.judge });
  if (prompts.showsMedia) requireAbilities(model, ['vision'], 'a prompt with media');
  const [sample] = rows.samples;
  const ofFormat = isWritten ? await stopsOfFormat(task, dataset) : [];
  if (task.compat && sample && !given && purpose !== 'view') tryPrompts(prompts, sample);
  const stop = isWritten
    ? stopBeforeAnswer(prompts, { model: modelConfig, inferencer, ofFormat, row: sample })
    : undefined;
  const refused =
    stop ?? prompts.diagnostics.find(({ code }) => code === 'template.answer_in_earlier_turn');
  if (refused && !given && purpose !== 'view') {
    throw new ConfigError(refused.code, refused.message, refused);
  }
  const tools = hasTools(inferCfg)
    ? (await import('./tools-of.ts')).toolsOf(dataset, { model, modelConfig })
    : undefined;
  const ownSettings = await settingsOf(modelConfig, inferencer);
  const scoringNotes = purpose === 'view' ? [] : await prepareScorer(evalCfg, dataset);
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
      ...(await diagnosticsOf({
        ...{ modelConfig, dataset, encode, setup: task, prompts, rows, scorer, stop },
        selection: opening.selectionOf(dataset),
      })),
      ...(await Promise.all(judgeNames(scorer.judge).map(judges.remarksOn))).flat(),
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
    setup: task,
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
      ...(await Promise.all(judgeNames(scorer.judge).map(judges.identityOf))),
      // Grades were shares of their scale once.
      ...(scorer.judge && scorer.metric === 'grade' ? [scorer.range] : []),
      ...(holdsFunction(evalCfg) ? [opening.id] : []),
      // Dialogues had no part in measures of the whole dataset once.
      ...(isInTurns && scorer.datasetMetrics ? [{ pooled: 'turns' }] : []),
      // Records say which rows belong together.
      ...(readerCfg.clusterBy === undefined ? [] : [{ clusterBy: readerCfg.clusterBy }]),
    ]),
    judges: await Promise.all(judgeNames(scorer.judge).map(judges.describe)),
    seenOf,
    scoringNotes,
    ...(scorer.judge && { planScoring: judges.collector(scorerWith) }),
    countTokens: encode && ((text) => encode(text).length),
    tokenize: encode,
    pace: paceOf(modelConfig),
  });
}

/** The first rows, and those that ask judges of their own. */
function rowsWithJudges({ head, samples, judged = [] }: TaskRows): readonly PositionedRow[] {
  const first = head ?? samples;
  const known = new Set(first);
  return [...first, ...judged.filter((row) => !known.has(row))];
}

/** Vectors for checks, by an embedder that is opened when it is first needed. */
function embedderOf({ config, options, purpose }: Opening): EmbedWith {
  return (embedder, path) => {
    if (!embedder) return undefined;
    const { startedIn, askJudge } = options;
    const mayAsk = purpose === 'run' || askJudge !== undefined;
    let opened: Promise<Embedder> | undefined;
    const open = async () => {
      const { openEmbedder } = await import('./open-embedder.ts');
      const settings = camelKeys(embedder) as unknown as EmbedderConfig;
      return openEmbedder(config, settings, { at: path, mayAsk, startedIn });
    };
    return async (texts, waiting) => {
      opened ??= open();
      return (await opened).embed(texts, waiting);
    };
  };
}

async function refuse(
  { model, dataset, modelConfig }: Parts,
  { config, rowsOf }: Opening,
): Promise<void> {
  const { refuseModel } = await import('./opening-refusals.ts');
  const samples = async () => (await rowsOf(dataset, modelConfig, undefined)).samples;
  await refuseModel(model, { config, dataset, modelConfig, samples });
}

function suiteEvaluation(
  suite: SuiteDatasets,
  { dataset, model, modelConfig }: Parts,
  { config, selectionOf }: Opening,
): Promise<Evaluation> {
  const select: SuiteParts['select'] = (rows) => selectRows(rows, selectionOf(dataset));
  const readFormat = async () => {
    if (!modelConfig) return { type: 'plain' } as const;
    const { formatOfModel } = await import('./setup-of-config.ts');
    return formatOfModel(config, modelConfig);
  };
  return suite.open(dataset, { folder: config.folder, model, modelConfig, readFormat, select });
}

/** Whom a retriever asks that lets the model choose examples. */
async function loglikelihoodModelFor(
  { model, modelConfig, dataset }: Parts,
  { options, purpose }: Opening,
): Promise<LoglikelihoodModel | undefined> {
  const { loglikelihoodModel } = model;
  if (!choosesExamples(dataset) || !modelConfig || !loglikelihoodModel) return undefined;
  if (!model.abilities.has('loglikelihood')) return undefined;
  const { rememberLoglikelihoods } = options;
  if (rememberLoglikelihoods) return rememberLoglikelihoods(model, loglikelihoodModel, modelConfig);
  if (purpose === 'run' || modelConfig.type === 'Local') return loglikelihoodModel;
  const { refuseToMeasure } = await import('./opening-refusals.ts');
  return { ...loglikelihoodModel, measure: () => refuseToMeasure(dataset, modelConfig) };
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

/** Whether the model tells how likely texts are, to answer or to choose examples. */
export function needsLikelihood({ inferCfg }: DatasetConfig): boolean {
  return abilityFor(inferCfg.inferencer.type) !== 'generate' || choosesExamples({ inferCfg });
}

export function choosesExamples({ inferCfg }: Pick<DatasetConfig, 'inferCfg'>): boolean {
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
