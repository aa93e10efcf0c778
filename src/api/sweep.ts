import { resolve } from 'node:path';
import { UsageError } from '../base/usage-error.ts';
import type { Config } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { spelledConfig } from '../config/load-config.ts';
import type { LoadedConfig } from '../config/loaded-config.ts';
import { overrideConfig } from '../config/override-config.ts';
import { defaultRunFolder } from '../config/run-defaults.ts';
import { withLocation } from '../config/with-location.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { OpenOptions } from '../evaluation/open-evaluation.ts';
import { openEvaluations } from '../evaluation/open-evaluations.ts';
import type { Mapping } from '../prompt/mapping.ts';
import { snapshotOfSweep } from '../report/snapshot/single-page.ts';
import { sweepCsv } from '../report/sweep/sweep-csv.ts';
import { holdSweep, type SweepGate } from '../report/sweep/sweep-gates.ts';
import { sweepMarkdown } from '../report/sweep/sweep-markdown.ts';
import { beginStart } from '../run/begin-start.ts';
import { workByModel, workOf } from '../run/execute-evaluations.ts';
import { withKnownModels } from '../run/known-models.ts';
import { keepLikelihoods } from '../run/loglikelihood-memory.ts';
import { rowScoreKind } from '../run/metric-tally.ts';
import type { Spending } from '../run/spending.ts';
import { describeRun, type RunRecord } from '../run/store/describe-run.ts';
import { openRunFolder, type RunFolder } from '../run/store/run-folder.ts';
import type { RunSummary } from '../run/summary.ts';
import { keepVerdicts, type RunVerdicts } from '../run/verdict-memory.ts';
import type { SweepAxes } from '../study/sweep/axes.ts';
import {
  type CellEvaluation,
  cellEvaluations,
  groupCells,
} from '../study/sweep/cell-evaluation.ts';
import { checkAxis } from '../study/sweep/expand-cells.ts';
import { type ExpandedConfig, expandConfig } from '../study/sweep/expand-config.ts';
import { requireOneScale } from '../study/sweep/one-scale.ts';
import {
  askedOnly,
  type BudgetPlan,
  planBudget,
  type SpentBudget,
} from '../study/sweep/run-budget.ts';
import { summarizeSweep } from '../study/sweep/summarize-sweep.ts';
import type { SweepSummary } from '../study/sweep/sweep-summary.ts';
import { checkOptions } from './check-options.ts';
import {
  type EvaluateOptions,
  isSelection,
  meterOf,
  openReach,
  openSpending,
  type Reach,
  repositoryOf,
  settingsOf,
} from './evaluate.ts';
import { type ModelCopies, openCopies } from './model-copies.ts';
import { sweepNames } from './option-names.ts';
import { standAlonePage } from './stand-alone-page.ts';
import { SweepRounds } from './sweep-rounds.ts';
import { rowsThatMayFail, withFailures } from './with-gates.ts';
import { writeResults } from './write-results.ts';

/**
 * With a budget, `onStart` is called for every round. Stopping one of them ends the sweep after it.
 */
export interface SweepOptions
  extends Omit<
    EvaluateOptions,
    'datasets' | 'savePrompts' | 'holdAgainst' | 'failUnder' | 'maxUnscored'
  > {
  /** The lowest score to expect of the best configuration of each model, from 0 to 1. */
  readonly failUnder?: number | undefined;
  /** What is varied; it comes before what the config says under `sweep`. */
  readonly axes?: SweepAxes | undefined;
  /** One template has to serve all datasets, by the mean of their scores. */
  readonly sameTemplate?: boolean | undefined;
  /** The most requests, spent where they decide between templates. */
  readonly budget?: number | undefined;
  /** Seed of the splits of rows, and of the rows that a budget is spent on; 0 by default. */
  readonly seed?: number | undefined;
}

/** What a sweep came to. */
export interface SweepResult {
  /** The folder that everything is kept in. */
  readonly folder: string;
  readonly summary: SweepSummary;
  /** The results of the single cells. */
  readonly run: RunSummary;
  /** What the best configurations were held to. */
  readonly gates: readonly SweepGate[];
  /** How many rows were asked again because an earlier version kept their loglikelihoods. */
  readonly oldLoglikelihoods: number;
}

/**
 * Asks the models of a config in several ways, and finds the best template with its confidence,
 * like `typecase sweep`. Everything is saved in a folder, `runs/<name>-sweep` by default; answers
 * that it already has are reused.
 *
 * @example
 * const { summary } = await sweep(
 *   {
 *     models: [{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny' }],
 *     datasets: [{ task: 'arithmetic' }],
 *   },
 *   { axes: { templates: ['equation', 'postfix'] }, limit: 40 },
 * );
 * summary.best[0]?.title; // 'Use equation'
 */
export async function sweep(
  config: Config | ConfigInput | LoadedConfig,
  options: SweepOptions = {},
): Promise<SweepResult> {
  checkOptions<SweepOptions>(options, sweepNames);
  const { axes, sameTemplate = false, models, budget } = options;
  if (models) checkAxis('models', models);
  if (sameTemplate && budget !== undefined) throw budgetForOne();
  const expanded = await expandConfig(await toWritten(config), { axes, sameTemplate });
  const { cells } = expanded;
  const checked = overrideConfig(expanded.config, options);
  try {
    const path = resolve(options.out ?? sweepFolder({ config: checked, cells }));
    return await withKnownModels(path, (known) =>
      sweepCells({ config: checked, cells }, { ...options, known, out: path }),
    );
  } catch (error) {
    throw withLocation(checked.written, error);
  }
}

/** A config that is checked, or one that will be once it has its cells. */
function toWritten(
  config: Config | ConfigInput | LoadedConfig,
): Config | LoadedConfig | Promise<LoadedConfig> {
  if ('written' in config) return config as Config;
  if ('unexpanded' in config) return config as LoadedConfig;
  return spelledConfig(config as Mapping);
}

function budgetForOne(): UsageError {
  return new UsageError(
    'usage.conflicting_options',
    '--budget chooses for each dataset separately',
    {
      hint: 'Leave out `--same-template` or `--budget`.',
    },
  );
}

/** Where sweeps go: they have the name of the config, or of their datasets. */
function sweepFolder({ config, cells }: ExpandedConfig): string {
  const datasets = [...new Set(cells.map(({ dataset }) => dataset))];
  return defaultRunFolder(config, { name: datasets.join('-'), suffix: '-sweep' });
}

type FoundOptions = SweepOptions & Pick<OpenOptions, 'known'> & { readonly out: string };

async function sweepCells(
  { config, cells }: ExpandedConfig,
  options: FoundOptions,
): Promise<SweepResult> {
  const path = options.out;
  const memory = keepLikelihoods(path);
  const spending = await openSpending(options);
  const reach = await openReach(options, { path, config });
  const verdicts = keepVerdicts(path, options);
  const evaluations = await openEvaluations(config, {
    ...options,
    purpose: 'run',
    rememberLoglikelihoods: memory.remember,
    meter: meterOf({ spending, reach }),
    askJudge: verdicts.ask,
  }).catch(async (error: unknown) => {
    await reach?.close();
    throw error;
  });
  try {
    spending?.requirePrices(evaluations);
    const work = workOf(evaluations, { path });
    const asked = cellEvaluations(
      work.flatMap((one) => one.evaluations),
      cells,
    );
    if (options.sameTemplate) requireOneScale(asked.map(scoreKind));
    const plan = await planOf(asked, options);
    options.onOpen?.(evaluations);
    const folder = await openRunFolder(path);
    try {
      return await sweepIn(folder, {
        ...{ config, cells: asked, plan, options },
        ...{ spending, reach, verdicts },
      });
    } finally {
      await folder.unlock();
    }
  } finally {
    await memory.close();
    await verdicts.close();
    await evaluations.close();
    await reach?.close();
  }
}

function scoreKind({ stored: { evaluation } }: CellEvaluation) {
  return { dataset: evaluation.task.name, ...rowScoreKind(evaluation.scorer) };
}

/** How a budget is to be spent, if there is one. */
async function planOf(
  cells: readonly CellEvaluation[],
  { budget, seed = 0 }: SweepOptions,
): Promise<BudgetPlan | undefined> {
  return budget === undefined ? undefined : planBudget(groupCells(cells), { budget, seed });
}

interface SweepParts {
  readonly config: Config;
  readonly cells: readonly CellEvaluation[];
  readonly plan: BudgetPlan | undefined;
  readonly options: SweepOptions;
  readonly spending: Spending | undefined;
  readonly reach: Reach | undefined;
  readonly verdicts: RunVerdicts;
}

async function sweepIn(folder: RunFolder, parts: SweepParts): Promise<SweepResult> {
  const { config } = parts;
  const evaluations = parts.cells.map(({ stored }) => stored);
  // Others have their own models.
  const copies = await openCopies(config, parts.reach ? [] : workByModel(evaluations));
  try {
    return await runSweep(folder, { ...parts, copies });
  } finally {
    await copies.close();
  }
}

async function runSweep(
  folder: RunFolder,
  parts: SweepParts & { readonly copies: ModelCopies },
): Promise<SweepResult> {
  const { config, cells, plan, options, copies, spending, reach, verdicts } = parts;
  const { record = { command: 'sweep', settings: sweepSettings(options) } } = options;
  const { seed = 0, sameTemplate = false } = options;
  const all = cells.map(({ stored }) => stored);
  const evaluations = all.map(({ evaluation }) => evaluation);
  for (const name of Object.keys(sweepFiles)) await folder.remove(name);
  const file = await describeRun(folder.path, config, { evaluations, record });
  const start = await beginStart(folder, file, {
    fresh: options.fresh,
    evaluations: all,
    isSelection: isSelection(options),
    counted: spending?.counted,
    repository: repositoryOf(config),
  });
  await spending?.addEarlier(all, start);
  const mayFail = (own: readonly Evaluation[]) => rowsThatMayFail(own, { options, config });
  const settings = { ...options, verdicts, reach, mayFail };
  const rounds = new SweepRounds({ folder, copies, start, options: settings, spending });
  let spent: SpentBudget | undefined;
  const outcome = await start.follow(async () => {
    spent = plan && (await rounds.spend(plan));
    return rounds.run(spent ? askedOnly(all, spent) : all);
  });
  const { failure, samples } = outcome;
  const ended = spending?.addTo(outcome.summary) ?? outcome.summary;
  const run = withFailures(ended, { options, config });
  const shown = await writeResults(folder, { summary: run, samples });
  await options.onSummary?.(run, shown);
  const { sent, oldLoglikelihoods } = rounds;
  const outcomes = { run, sent, spent, seed, sameTemplate };
  const summary = await summarizeSweep(groupCells(cells), outcomes);
  for (const [name, write] of Object.entries(sweepFiles)) {
    await folder.write(name, await write(summary));
  }
  if (failure !== undefined) throw failure;
  const gates = holdSweep(summary, options.failUnder, run.results);
  return { folder: folder.path, summary, run, gates, oldLoglikelihoods };
}

/** How the files of a sweep are written. */
const sweepFiles: Readonly<Record<string, (summary: SweepSummary) => string | Promise<string>>> = {
  'sweep.html': (summary) => standAlonePage(snapshotOfSweep(summary), sweepMarkdown(summary)),
  'sweep.md': sweepMarkdown,
  'sweep.csv': sweepCsv,
  'sweep.json': (summary) => `${JSON.stringify(summary, null, 2)}\n`,
};

/** What of the options decides what is asked, and how. */
function sweepSettings(options: SweepOptions): RunRecord['settings'] {
  const { axes, sameTemplate, budget, seed } = options;
  return {
    ...settingsOf(options, {}),
    ...(axes && { axes }),
    ...(sameTemplate !== undefined && { sameTemplate }),
    ...(budget !== undefined && { budget }),
    ...(seed !== undefined && { seed }),
  };
}
