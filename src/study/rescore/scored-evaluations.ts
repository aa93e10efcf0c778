import { existsSync } from 'node:fs';
import { displayPath } from '../../base/display-path.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Config, DatasetConfig, EvalConfig, SummaryGroups } from '../../config/config.ts';
import { DataError } from '../../errors.ts';
import { type Evaluation, goldOf, type RowPlan } from '../../evaluation/evaluation.ts';
import type { CompositeInference } from '../../evaluation/inference.ts';
import { scoringOfRecord } from '../../evaluation/key.ts';
import { openEvaluations } from '../../evaluation/open-evaluations.ts';
import { combineParts } from '../../evaluation/repeats.ts';
import {
  identifyScorer,
  openingsOf,
  type ScoringSettings,
  scorerOf,
} from '../../evaluation/scorer-of.ts';
import { isDialogue } from '../../evaluation/task-prompts.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import type { VerdictMemory } from '../../run/ask-judge.ts';
import { priceOf } from '../../run/cost.ts';
import { knownModels } from '../../run/known-models.ts';
import { recallLoglikelihoodsOf } from '../../run/loglikelihood-memory.ts';
import { isJudgeFailure } from '../../run/score-answer.ts';
import type { EvaluationName, StoredRun } from '../../run/store/open-run.ts';
import type { ScoreRange } from '../../run/store/record-fault.ts';
import type { RunFile } from '../../run/store/run-file.ts';
import {
  datasetOf,
  rangeOf,
  recordedMetric,
  priceOf as recordedPrice,
  thinkingOf,
} from '../../run/store/run-file-parts.ts';
import { rowFiles } from '../../run/store/run-folder.ts';
import type { RunVerdicts } from '../../run/verdict-memory.ts';
import type { EmbedWith } from '../../score/evaluators/scoring-parts.ts';
import { openScorer, prepareScorer } from '../../score/open-scorer.ts';
import type { AskedVerdict, Scorer } from '../../score/scorer.ts';
import { isScoredByFunction } from '../recorded-evaluators.ts';
import type { Rescoring } from './rescore-record.ts';

/** A row that was asked about, with what the data now says of it. */
export interface AskedRow {
  readonly plan: RowPlan;
  readonly gold: unknown;
}

/** The saved answers of one evaluation, and how they are to be scored. */
export interface ScoredEvaluation extends EvaluationName {
  readonly scorer: Scorer;
  /** The scores that rows have had so far; left out if that is not known. */
  readonly range?: ScoreRange | undefined;
  readonly logFile: string;
  readonly indexFile: string;
  /** The column whose values tell which rows belong together. */
  readonly clusterBy?: string | undefined;
  /** What asks about the rows; left out: those of the log count, with what is recorded there. */
  readonly evaluation?: Evaluation | undefined;
  /** Of rows of several parts, where there is no evaluation. */
  readonly combine?: CompositeInference['combine'] | undefined;
  /** Whether they are scored as they were, by what was recorded. */
  readonly isAsRecorded: boolean;
  /** What scoring depends on beside the config. */
  readonly scoringNotes: readonly string[];
  readonly scoringOf: Rescoring['scoringOf'];
  readonly repliesTo?: Rescoring['repliesTo'];
  readonly thinking?: Rescoring['thinking'];
  readonly price?: Rescoring['price'];
}

export interface ScorePlan {
  readonly tasks: readonly ScoredEvaluation[];
  /** What counts for each dataset. */
  readonly evaluators: ReadonlyMap<string, EvalConfig | undefined>;
  readonly groups?: SummaryGroups | undefined;
  readonly close: () => Promise<void>;
}

export interface ScoreSettings {
  /** The config whose `eval_cfg` and data count, in place of what was recorded. */
  readonly config?: Config | undefined;
  /** How answers are judged, for all datasets. */
  readonly evaluator?: string | undefined;
  /** What judges said. */
  readonly verdicts: RunVerdicts;
}

/** The evaluations of a run that have answers. */
export async function planScoring(run: StoredRun, settings: ScoreSettings): Promise<ScorePlan> {
  const { config, evaluator } = settings;
  if (evaluator !== undefined) {
    await openScorer({ evaluator: { type: evaluator } });
    const measured = (config ?? run.file).datasets.find(
      ({ inferCfg }) => inferCfg?.inferencer?.type === 'PPLOnlyInferencer',
    );
    if (measured) throw measuredTexts(measured.abbr);
  }
  const plan = config
    ? await configuredTasks(run, { ...settings, config })
    : await recordedTasks(run, settings);
  if (plan.tasks.length > 0) return plan;
  await plan.close();
  throw noAnswers(run);
}

function measuredTexts(dataset: string): UsageError {
  return new UsageError(
    'score.measured_texts',
    `${dataset} measures texts, so there are no answers for another evaluator to score`,
    {
      hint: 'Nothing was changed. Omit --evaluator; a config can set the evaluator of each dataset.',
    },
  );
}

function noAnswers({ path }: StoredRun): UsageError {
  return new UsageError('score.no_answers', `${displayPath(path)} has no answers to score`, {
    hint: 'Answers are found by the `abbr` of model and dataset. Check whether one of them changed.',
  });
}

async function recordedTasks(run: StoredRun, settings: ScoreSettings): Promise<ScorePlan> {
  const { path, file } = run;
  const evaluators = new Map(
    file.datasets.map(({ abbr, evalCfg }) => [abbr, replaceEvaluator(evalCfg, settings.evaluator)]),
  );
  const notes = new Map<string, readonly string[]>();
  for (const [abbr, evalCfg] of evaluators) notes.set(abbr, await prepareScorer(evalCfg));
  const tasks: ScoredEvaluation[] = [];
  for (const { model, dataset } of run.evaluations) {
    const compat = file.models.find(({ name }) => name === model)?.compat;
    const recorded = datasetOf(file, dataset);
    const inferencer = recorded?.inferCfg?.inferencer?.type;
    const openings = openingsOf(recorded?.inferCfg);
    const isInTurns = isDialogue({ compat, ...recorded?.inferCfg });
    const scoring = { evalCfg: evaluators.get(dataset), inferencer, compat, openings, isInTurns };
    const isAsRecorded = settings.evaluator === undefined;
    const scorerIdentity = identifyScorer(scoring);
    const logged = await loggedScoring(
      { model, dataset },
      { scoring, onlyJudge: file.judges?.[0]?.name, ...settings },
    );
    tasks.push({
      model,
      dataset,
      ...logged,
      range: rangeOf(file, dataset),
      ...rowFiles(path, model, dataset),
      clusterBy: recorded?.readerCfg?.clusterBy,
      combine: recorded?.inferCfg && combineParts(recorded, { compat, ...logged }),
      isAsRecorded,
      scoringNotes: notes.get(dataset) ?? [],
      thinking: thinkingOf(file, model),
      price: recordedPrice(file, model),
      scoringOf: ({ row, prompt, scoring }, gold) => {
        if (isAsRecorded || row === undefined) return isAsRecorded ? scoring : undefined;
        return scoringOfRecord({ row, prompt }, { inferencer, scorerIdentity, gold });
      },
    });
  }
  return { tasks, evaluators, close: async () => undefined };
}

/** A scorer that reads nothing but what the log holds. */
export async function loggedScoring(
  name: EvaluationName,
  settings: RecordedScoringSettings,
): Promise<RecordedScoring> {
  const recorded = await recordedScoring(name, settings);
  const { columns = [], judge } = recorded.scorer;
  const read = columns === 'any' ? [] : columns;
  // What the judge was asked is kept with its reply.
  const needed = judge
    ? read.find((column) => column.path.some((key) => /_postprocessor$/.test(String(key))))
    : read[0];
  if (!needed) return recorded;
  throw needsConfig(
    name,
    `its scorer reads the column \`${needed.name}\`, which logs do not contain`,
  );
}

export interface RecordedScoringSettings {
  readonly scoring: ScoringSettings;
  /** Who judged where no judge is named. */
  readonly onlyJudge?: string | undefined;
  /** What judges said. */
  readonly verdicts: Pick<RunVerdicts, 'of'>;
}

export type RecordedScoring = Pick<ScoredEvaluation, 'scorer' | 'repliesTo'>;

/** The scorer that a run recorded. Nobody is asked: what judges said is known. */
export async function recordedScoring(
  name: EvaluationName,
  { scoring, verdicts, onlyJudge }: RecordedScoringSettings,
): Promise<RecordedScoring> {
  if (isScoredByFunction(scoring)) {
    throw needsConfig(name, 'it is scored by a function, which runs do not record');
  }
  const ask = () => Promise.reject(needsConfig(name, 'a judge would have to be asked'));
  const judgeNamed = (judge: string) => ({ name: judge, ask });
  const embedWith: EmbedWith = () => () =>
    Promise.reject(needsConfig(name, 'an embedder would have to be asked'));
  const scorer = await scorerOf(scoring, { judgeNamed, embedWith, onlyJudge });
  const { judge } = scorer;
  const memoryOf = (asked: AskedVerdict) => verdicts.of(asked.judge ?? judge?.name ?? '');
  return { scorer, ...(judge && { repliesTo: keptReplies(name, memoryOf) }) };
}

function keptReplies(
  name: EvaluationName,
  memoryOf: (asked: AskedVerdict) => VerdictMemory,
): Rescoring['repliesTo'] {
  return async ({ outcome, reason = '', verdicts }) => {
    // The judge of two answers may have failed in one order alone.
    if (outcome === 'unscored' && isJudgeFailure(reason)) return undefined;
    if (!verdicts) {
      if (outcome !== 'scored') return undefined;
      throw needsConfig(name, 'the run did not save the verdicts of the judge');
    }
    return Promise.all(
      verdicts.map(async (asked) => {
        const kept = await memoryOf(asked).find(asked.key);
        if (!kept) throw needsConfig(name, 'a verdict of its judge is no longer saved');
        const { text, finishReason } = kept.result;
        const isCut = asked.cut ?? finishReason === 'length';
        return { text, isCut, ...recordedParts(asked), begun: asked.begun, asked };
      }),
    );
  };
}

function recordedParts({ said: raw = '', answer, unfinished }: AskedVerdict) {
  if (answer === undefined) return {};
  return { parts: { raw, answer, ...(unfinished && { unfinishedReasoning: unfinished }) } };
}

/** Refuses to score by the log alone. */
export function needsConfig({ model, dataset }: EvaluationName, why: string): UsageError {
  return new UsageError(
    'score.needs_config',
    `${dataset} of ${model} cannot be scored from its log alone: ${why}`,
    { hint: 'Nothing was changed. Add the config: `typecase score FOLDER CONFIG`.' },
  );
}

async function configuredTasks(
  run: StoredRun,
  { config, evaluator, verdicts }: ScoreSettings & { readonly config: Config },
): Promise<ScorePlan> {
  const { path, file } = run;
  const { limit, ids, where } = file.settings;
  const datasets = config.datasets.map((dataset) => ({
    ...dataset,
    evalCfg: replaceEvaluator(dataset.evalCfg, evaluator),
  }));
  const isAnswered = ({ model, dataset }: EvaluationName) =>
    existsSync(rowFiles(path, model, dataset).logFile);
  const models = config.models.filter(({ abbr: model }) =>
    datasets.some(({ abbr: dataset }) => isAnswered({ model, dataset })),
  );
  const answered = datasets.filter(({ abbr: dataset }) =>
    config.models.some(({ abbr: model }) => isAnswered({ model, dataset })),
  );
  if (models.length === 0) throw noAnswers(run);
  const evaluations = await openEvaluations(
    { ...config, datasets },
    {
      purpose: 'plan',
      models: models.map(({ abbr }) => abbr),
      datasets: answered.map(({ abbr }) => abbr),
      limit,
      ids: ids && new Set(ids),
      where,
      known: await knownModels(path),
      rememberLoglikelihoods: recallLoglikelihoodsOf(path),
      askJudge: verdicts.ask,
    },
  );
  const tasks = evaluations.map((evaluation): ScoredEvaluation => {
    const { modelName: model, modelConfig, task, scorer, scorerIdentity, seenOf } = evaluation;
    return {
      isAsRecorded: false,
      scoringNotes: evaluation.scoringNotes,
      scoringOf: ({ row = '', prompt }, gold, read) => {
        const seen = (read && seenOf?.(read)) ?? '';
        const scoring = { inferencer: task.inferencer, scorerIdentity, gold };
        return scoringOfRecord({ row: row + seen, prompt }, scoring);
      },
      model,
      dataset: task.name,
      scorer,
      range: rangeOf(file, task.name),
      ...rowFiles(path, model, task.name),
      clusterBy: task.clusterBy,
      thinking: modelConfig?.thinking,
      price: priceOf(modelConfig),
      evaluation,
    };
  });
  return {
    tasks: tasks.filter(isAnswered),
    evaluators: new Map(answered.map(({ abbr, evalCfg }) => [abbr, evalCfg])),
    groups: config.groups,
    close: () => evaluations.close(),
  };
}

/** The rows of an evaluation with what they are asked. */
export async function* askedRows({
  rows,
  prepare,
  plan,
  task,
}: Pick<Evaluation, 'rows' | 'prepare' | 'plan' | 'task'>): AsyncGenerator<AskedRow> {
  for await (const batch of rows.batches()) {
    await prepare?.(batch);
    for (const row of batch) {
      yield { plan: await planOrNothing(plan, row), gold: goldOf(task, row.row) };
    }
  }
}

/** A row that nothing can be asked about failed in the run as well, and stays as it is. */
async function planOrNothing(plan: Evaluation['plan'], row: PositionedRow): Promise<RowPlan> {
  try {
    return await plan(row);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return { ...row, key: '', promptHash: '', requests: [] };
  }
}

/** An evaluator brings its own way to find answers; how right answers are read stays. */
function replaceEvaluator(
  evalCfg: DatasetConfig['evalCfg'],
  type: string | undefined,
): EvalConfig | undefined {
  if (type === undefined) return evalCfg;
  const { predPostprocessor: _, ...rest } = evalCfg ?? {};
  return { ...rest, evaluator: { type } };
}

/** The record of a run with the `eval_cfg`, the clusters and the rules that now count. */
export function withEvaluators(
  file: RunFile,
  { tasks, evaluators }: Pick<ScorePlan, 'tasks' | 'evaluators'>,
): RunFile {
  const scored = new Map(tasks.map((task) => [task.dataset, task.scorer]));
  const clusters = new Map(tasks.map((task) => [task.dataset, task.clusterBy]));
  const notes = new Map(tasks.map((task) => [task.dataset, task.scoringNotes]));
  const rules = new Map(
    tasks.flatMap(({ model, evaluation }) => (evaluation ? [[model, evaluation.task]] : [])),
  );
  return {
    ...file,
    models: file.models.map(({ compat, ...model }) => {
      const now = rules.has(model.name) ? rules.get(model.name)?.compat : compat;
      return { ...model, ...(now && { compat: now }) };
    }),
    datasets: file.datasets.map((dataset) => {
      if (!evaluators.has(dataset.abbr)) return dataset;
      const { evalCfg: _, readerCfg, ...rest } = dataset;
      const evalCfg: EvalConfig | undefined = evaluators.get(dataset.abbr);
      const clusterBy = clusters.get(dataset.abbr);
      return {
        ...rest,
        ...(readerCfg && { readerCfg: { ...readerCfg, clusterBy } }),
        ...(evalCfg && { evalCfg }),
      };
    }),
    data: file.data.map((data) => {
      const { scoring: before, ...rest } = data;
      const scoring = notes.get(data.dataset) ?? before ?? [];
      return { ...rest, ...(scoring.length > 0 && { scoring }) };
    }),
    metrics: [
      ...file.metrics.filter(({ dataset }) => !scored.has(dataset)),
      ...Array.from(scored, ([dataset, scorer]) => recordedMetric(dataset, scorer)),
    ],
  };
}
