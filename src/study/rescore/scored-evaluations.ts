import { existsSync } from 'node:fs';
import { displayPath } from '../../base/display-path.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Config, DatasetConfig, EvalConfig } from '../../config/config.ts';
import { DataError } from '../../errors.ts';
import { type Evaluation, goldOf, type RowPlan } from '../../evaluation/evaluation.ts';
import type { CompositeInference } from '../../evaluation/inference.ts';
import { openEvaluations } from '../../evaluation/open-evaluations.ts';
import { combineParts } from '../../evaluation/repeats.ts';
import { scorerOf } from '../../evaluation/scorer-of.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { knownModels } from '../../run/known-models.ts';
import { recallLoglikelihoodsOf } from '../../run/loglikelihood-memory.ts';
import type { EvaluationName, StoredRun } from '../../run/store/open-run.ts';
import type { ScoreRange } from '../../run/store/record-fault.ts';
import type { RunFile } from '../../run/store/run-file.ts';
import { datasetOf, rangeOf, recordedMetric } from '../../run/store/run-file-parts.ts';
import { rowFiles } from '../../run/store/run-folder.ts';
import { openScorer, prepareScorer } from '../../score/open-scorer.ts';
import type { Scorer } from '../../score/scorer.ts';

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
}

export interface ScorePlan {
  readonly tasks: readonly ScoredEvaluation[];
  /** What counts for each dataset. */
  readonly evaluators: ReadonlyMap<string, EvalConfig | undefined>;
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly close: () => Promise<void>;
}

export interface ScoreSettings {
  /** The config whose `eval_cfg` and data count, in place of what was recorded. */
  readonly config?: Config | undefined;
  /** How answers are judged, for all datasets. */
  readonly evaluator?: string | undefined;
}

/** The evaluations of a run that have answers. */
export async function planScoring(run: StoredRun, settings: ScoreSettings): Promise<ScorePlan> {
  const { config, evaluator } = settings;
  if (evaluator !== undefined) await openScorer({ evaluator: { type: evaluator } });
  const plan = config
    ? await configuredTasks(run, { config, evaluator })
    : await recordedTasks(run, evaluator);
  if (plan.tasks.length > 0) return plan;
  await plan.close();
  throw noAnswers(run);
}

function noAnswers({ path }: StoredRun): UsageError {
  return new UsageError('score.no_answers', `${displayPath(path)} has no answers to score`, {
    hint: 'Answers are found by the `abbr` of model and dataset; has one of them changed?',
  });
}

async function recordedTasks(run: StoredRun, evaluator: string | undefined): Promise<ScorePlan> {
  const { path, file } = run;
  const evaluators = new Map(
    file.datasets.map(({ abbr, evalCfg }) => [abbr, replaceEvaluator(evalCfg, evaluator)]),
  );
  for (const evalCfg of evaluators.values()) await prepareScorer(evalCfg);
  const tasks: ScoredEvaluation[] = [];
  for (const { model, dataset } of run.evaluations) {
    const compat = file.models.find(({ name }) => name === model)?.compat;
    const recorded = datasetOf(file, dataset);
    const inferencer = recorded?.inferCfg?.inferencer?.type;
    tasks.push({
      model,
      dataset,
      scorer: await scorerOf({ evalCfg: evaluators.get(dataset), inferencer, compat }),
      range: rangeOf(file, dataset),
      ...rowFiles(path, model, dataset),
      clusterBy: recorded?.readerCfg?.clusterBy,
      combine: recorded?.inferCfg && combineParts(recorded, compat),
    });
  }
  return { tasks, evaluators, close: async () => undefined };
}

async function configuredTasks(
  run: StoredRun,
  { config, evaluator }: ScoreSettings & { readonly config: Config },
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
      judges: 'ask',
    },
  );
  const tasks = evaluations.map((evaluation): ScoredEvaluation => {
    const { modelName: model, task, scorer } = evaluation;
    return {
      model,
      dataset: task.name,
      scorer,
      range: rangeOf(file, task.name),
      ...rowFiles(path, model, task.name),
      clusterBy: task.clusterBy,
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

/** The record of a run with the `eval_cfg` and the clusters that now count. */
export function withEvaluators(
  file: RunFile,
  { tasks, evaluators }: Pick<ScorePlan, 'tasks' | 'evaluators'>,
): RunFile {
  const scored = new Map(tasks.map((task) => [task.dataset, task.scorer]));
  const clusters = new Map(tasks.map((task) => [task.dataset, task.clusterBy]));
  return {
    ...file,
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
    metrics: [
      ...file.metrics.filter(({ dataset }) => !scored.has(dataset)),
      ...Array.from(scored, ([dataset, scorer]) => recordedMetric(dataset, scorer)),
    ],
  };
}
