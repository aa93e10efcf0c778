import { existsSync } from 'node:fs';
import type { DatasetConfig, EvalConfig } from '../../config/config.ts';
import type { SingleInference } from '../../infer/inference.ts';
import type { Prompt, Row } from '../../prompt/index.ts';
import type { Query } from '../../retrieve/index.ts';
import { askedHash, shownPrompt } from '../../run/asked.ts';
import { RowCase } from '../../run/row-case.ts';
import { runFiles } from '../../run/run-folder.ts';
import type { TaskSettings } from '../../run/task-settings.ts';
import { compileScorer, prepareScorer, type Scorer } from '../../score/index.ts';
import { displayPath } from '../display-path.ts';
import { withoutCalls } from '../plan/without-calls.ts';
import { buildTasks } from '../run/build-tasks.ts';
import { openRun } from '../run/open-run.ts';
import type { RunOptions } from '../run/run-options.ts';
import { UsageError } from '../usage-error.ts';
import type { RecordedRun, SavedRun } from './recorded-run.ts';
import type { ScoreOptions } from './score-options.ts';

/** A row that was asked about, with what the data now says of it. */
export interface AskedRow {
  readonly id: number;
  readonly row: Row;
  readonly gold: unknown;
  /** Hash of what it is asked. */
  readonly prompt: string;
  readonly shown: Prompt;
  /** The row's parts, if it has several. */
  readonly whole?: RowCase;
}

/** The saved answers of one model on one data set, and how they are to be scored. */
export interface ScoreTask {
  readonly model: string;
  readonly dataset: string;
  readonly scorer: Scorer;
  readonly logFile: string;
  readonly indexFile: string;
  /** The rows of the data; left out: those of the log, with the right answers recorded there. */
  readonly rows?: AsyncIterable<AskedRow>;
}

export interface ScorePlan {
  readonly tasks: readonly ScoreTask[];
  /** What counts for each data set. */
  readonly evaluators: ReadonlyMap<string, EvalConfig | undefined>;
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Lets go of the models that judged. */
  readonly close?: () => Promise<void>;
}

/** The tasks of a run that have answers. */
export async function planScoring(saved: SavedRun, options: ScoreOptions): Promise<ScorePlan> {
  const { config, evaluator } = options;
  if (evaluator !== undefined) compileScorer({ evaluator: { type: evaluator } });
  const plan =
    config === undefined
      ? await recordedTasks(saved, evaluator)
      : await configuredTasks(saved, { ...options, config });
  if (plan.tasks.length > 0) return plan;
  throw new UsageError('score.no_answers', `${displayPath(saved.folder)} has no answers to score`, {
    hint: 'Answers are found by the `abbr` of model and data set; has one of them changed?',
  });
}

async function recordedTasks(
  { folder, recorded: { models, datasets } }: SavedRun,
  evaluator: string | undefined,
): Promise<ScorePlan> {
  const files = runFiles(folder);
  const evaluators = new Map(
    datasets.map(({ abbr, evalCfg }) => [abbr, replaceEvaluator(evalCfg, evaluator)]),
  );
  for (const evalCfg of evaluators.values()) await prepareScorer(evalCfg);
  const tasks = models.flatMap(({ name, compat }) =>
    datasets.map(({ abbr }) => ({
      model: name,
      dataset: abbr,
      scorer: compileScorer(evaluators.get(abbr), { compat }),
      logFile: files.logFile(name, abbr),
      indexFile: files.indexFile(name, abbr),
    })),
  );
  return { tasks: tasks.filter(({ logFile }) => existsSync(logFile)), evaluators };
}

async function configuredTasks(
  { folder, recorded }: SavedRun,
  { config, evaluator }: ScoreOptions & { readonly config: string },
): Promise<ScorePlan> {
  const options = selectionOf(recorded, config);
  const opened = await openRun(options);
  const { logFile } = runFiles(folder);
  const isAnswered = (model: string, dataset: string) => existsSync(logFile(model, dataset));
  const datasets = opened.datasets.map((dataset) => ({
    ...dataset,
    evalCfg: replaceEvaluator(dataset.evalCfg, evaluator),
  }));
  const answered = {
    ...opened,
    models: opened.models.filter(({ abbr }) => datasets.some((set) => isAnswered(abbr, set.abbr))),
    datasets: datasets.filter(({ abbr }) =>
      opened.models.some((model) => isAnswered(model.abbr, abbr)),
    ),
  };
  const built = await opened.placing(async () =>
    buildTasks(await withoutCalls(answered, folder), folder, options),
  );
  for (const { model } of built) await model.close();
  return {
    tasks: built
      .flatMap(({ tasks }) => tasks.map(({ settings }) => settings))
      .filter(({ model, dataset }) => isAnswered(model, dataset))
      .map((settings) => ({ ...settings, rows: askedRows(settings) })),
    evaluators: new Map(answered.datasets.map(({ abbr, evalCfg }) => [abbr, evalCfg])),
    groups: opened.config.groups,
    close: opened.judges.close,
  };
}

/** What shaped the rows and prompts of the run, as its options; the rest does not matter here. */
function selectionOf({ settings }: RecordedRun, source: string): RunOptions {
  const { limit, ids, where, maxOutLen } = settings;
  return {
    source,
    retries: 1,
    timeout: 1,
    json: false,
    ...(limit !== undefined && { limit }),
    ...(ids && { ids: new Set(ids) }),
    ...(where !== undefined && { where }),
    ...(maxOutLen !== undefined && { maxOutLen }),
  };
}

/** The rows of a task with what they are asked. */
export async function* askedRows(settings: TaskSettings): AsyncGenerator<AskedRow> {
  const { rows, prepare, inference, outputColumn } = settings;
  for await (const batch of rows) {
    const queries = batch.map(({ id, row }) => ({ id, row, index: Number(id) }));
    await prepare?.(queries);
    for (const query of queries) {
      const { id, row } = query;
      const gold = outputColumn === undefined ? undefined : row[outputColumn];
      const asked =
        inference.type === 'single' ? singleRow(inference, query) : new RowCase(settings, query);
      const whole = asked instanceof RowCase ? { whole: asked } : {};
      yield { id: Number(id), row, gold, prompt: asked.prompt, shown: asked.shown, ...whole };
    }
  }
}

function singleRow({ ask }: SingleInference, query: Query) {
  const { request } = ask(query);
  return { prompt: askedHash(request), shown: shownPrompt(request) };
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
