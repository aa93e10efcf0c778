import { resolve } from 'node:path';
import { displayPath } from '../base/display-path.ts';
import type { Config } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { toConfig } from '../config/load-config.ts';
import { type ConfigOverrides, overrideConfig } from '../config/override-config.ts';
import { defaultRunFolder } from '../config/run-defaults.ts';
import { withLocation } from '../config/with-location.ts';
import {
  type Evaluations,
  type OpenOptions,
  openEvaluations,
} from '../evaluation/open-evaluations.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { TaskRows } from '../report/report-rows.ts';
import { beginStart } from '../run/begin-start.ts';
import type { RunOutcome } from '../run/execute.ts';
import {
  type ExecuteOptions,
  executeWork,
  hasAnswers,
  workOf,
} from '../run/execute-evaluations.ts';
import { withKnownModels } from '../run/known-models.ts';
import { keepLikelihoods } from '../run/loglikelihood-memory.ts';
import type { Spending } from '../run/spending.ts';
import type { StartOptions } from '../run/start-record.ts';
import { describeRun, type RunRecord } from '../run/store/describe-run.ts';
import type { StoredRun } from '../run/store/open-run.ts';
import type { Problems } from '../run/store/record-problem.ts';
import { openRunFolder, type RunFolder } from '../run/store/run-folder.ts';
import type { RunSummary } from '../run/summary.ts';
import { keepVerdicts, type RunVerdicts } from '../run/verdict-memory.ts';
import { checkOptions } from './check-options.ts';
import { evaluateNames } from './option-names.ts';
import type { GateOptions } from './with-gates.ts';

/** Which models, datasets and rows of a config are meant. */
export type Selection = Pick<OpenOptions, 'models' | 'datasets' | 'limit' | 'ids' | 'where'>;

export interface EvaluateOptions extends Selection, ConfigOverrides, ExecuteOptions, GateOptions {
  /** Folder of the run; the same folder again does only what is missing. `runs/<name>` by default. */
  readonly out?: string | undefined;
  /** Called when the evaluations are open and nothing has been asked. */
  readonly onOpen?: ((evaluations: Evaluations) => void) | undefined;
  /**
   * Called when the files that sum the run up are written, also of a run that ended early, with the
   * rows that they show.
   */
  readonly onSummary?:
    | ((summary: RunSummary, rows: readonly TaskRows[]) => void | Promise<void>)
    | undefined;
  /** How the run is described in its folder. */
  readonly record?: RunRecord | undefined;
}

/** What a run came to. */
export interface RunResult {
  /** The folder that everything is kept in. */
  readonly folder: string;
  readonly summary: RunSummary;
  /** The rows as they are recorded, one evaluation after the other. */
  readonly rows: StoredRun['rows'];
  /** Damaged lines that the folder held, whose rows were asked again. */
  readonly problems: Problems;
  /** How many rows were asked again because an earlier version kept their loglikelihoods. */
  readonly oldLoglikelihoods: number;
  /** What may be wrong with templates, such as a placeholder that is no column. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Asks the models of a config about its datasets, scores the answers, and keeps everything in a
 * folder: what `typecase run` does. What the folder holds already is not asked again.
 *
 * @example
 * const { summary } = await evaluate({
 *   models: [{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny' }],
 *   datasets: [{ task: 'arithmetic', version: 'equation' }],
 * });
 * summary.results[0]?.score?.value; // 1
 */
export async function evaluate(
  config: Config | ConfigInput,
  options: EvaluateOptions = {},
): Promise<RunResult> {
  checkOptions<EvaluateOptions>(options, evaluateNames);
  const checked = overrideConfig(await toConfig(config), options);
  const path = resolve(options.out ?? defaultRunFolder(checked));
  try {
    // A server that is asked for everything again is asked anew what it can do.
    if (options.fresh) return await evaluateIn(path, checked, options);
    return await withKnownModels(path, (known) => evaluateIn(path, checked, { ...options, known }));
  } catch (error) {
    throw withLocation(checked.written, error);
  }
}

async function evaluateIn(
  path: string,
  config: Config,
  options: EvaluateOptions & Pick<OpenOptions, 'known'>,
): Promise<RunResult> {
  const memory = keepLikelihoods(path);
  const spending = await openSpending(options);
  const verdicts = keepVerdicts(path, options);
  const evaluations = await openEvaluations(config, {
    ...options,
    purpose: 'run',
    rememberLoglikelihoods: memory.remember,
    meter: spending?.meter,
    askJudge: verdicts.ask,
  });
  try {
    spending?.requirePrices(evaluations);
    await requireGates(evaluations, { config, options });
    options.onOpen?.(evaluations);
    const folder = await openRunFolder(path);
    try {
      const parts = { config, options, spending, verdicts };
      const { summary, problems, oldLoglikelihoods } = await runIn(folder, evaluations, parts);
      const diagnostics = evaluations.flatMap((evaluation) => evaluation.diagnostics);
      const rows = rowsOf(path);
      return { folder: path, summary, rows, problems, oldLoglikelihoods, diagnostics };
    } finally {
      await folder.unlock();
    }
  } finally {
    await memory.close();
    await verdicts.close();
    await evaluations.close();
  }
}

/** Refuses gates that cannot be held to, before anything is asked. */
async function requireGates(
  evaluations: Evaluations,
  { config, options }: { readonly config: Config; readonly options: EvaluateOptions },
): Promise<void> {
  const { models, datasets } = config;
  const isGated = [
    options.failUnder,
    config.gate,
    ...[...models, ...datasets].map((one) => one.gate),
  ];
  if (isGated.every((gate) => gate === undefined)) return;
  const { checkGates } = await import('./check-gates.ts');
  const { gateOf } = await import('./with-gates.ts');
  checkGates(
    [...evaluations].map(({ modelName: model, task: { name }, scorer, type }) => ({
      model,
      dataset: datasets.find(({ abbr }) => abbr === name) ?? { abbr: name },
      scorer,
      isComposite: type === 'composite',
      failUnder: gateOf({ model, dataset: name }, { config, options }).failUnder,
    })),
  );
}

/** What keeps the cost of a run below its limit, if it has one. */
export async function openSpending({ maxCost }: ExecuteOptions): Promise<Spending | undefined> {
  if (maxCost === undefined) return undefined;
  const { Spending } = await import('../run/spending.ts');
  return new Spending(maxCost);
}

/** The rows of a run are read when somebody wants them. */
function rowsOf(path: string): StoredRun['rows'] {
  return async function* read(selection) {
    const { openRun } = await import('../run/store/open-run.ts');
    yield* (await openRun(path)).rows(selection);
  };
}

interface RunParts {
  readonly config: Config;
  readonly options: EvaluateOptions;
  readonly spending: Spending | undefined;
  readonly verdicts: RunVerdicts;
}

async function runIn(
  folder: RunFolder,
  evaluations: Evaluations,
  { config, options, spending, verdicts }: RunParts,
): Promise<RunOutcome> {
  const { record = { command: 'run', settings: settingsOf(options, config) } } = options;
  const work = workOf(evaluations, folder);
  const stored = work.flatMap((one) => one.evaluations);
  const file = await describeRun(folder.path, config, { evaluations, record });
  const start = await beginStart(folder, file, {
    fresh: options.fresh,
    evaluations: stored,
    isSelection: isSelection(options),
    counted: spending?.counted,
    repository: repositoryOf(config),
  });
  const { groups } = config;
  await spending?.addEarlier(stored, start);
  const ended = await start.follow(() =>
    executeWork(work, folder, { ...options, groups, verdicts, start }),
  );
  const { withGates } = await import('./with-gates.ts');
  const summary = withGates(spending?.addTo(ended.summary) ?? ended.summary, { options, config });
  const outcome = { ...ended, summary };
  const { failure } = outcome;
  if (failure === undefined || hasAnswers(summary)) {
    const { writeResults } = await import('./write-results.ts');
    const shown = await writeResults(folder, outcome);
    await options.onSummary?.(summary, shown);
  }
  if (failure !== undefined) throw failure;
  return outcome;
}

/** Whether only some rows of the datasets are meant. */
export function isSelection({ limit, ids, where }: Selection): boolean {
  return limit !== undefined || ids !== undefined || where !== undefined;
}

/** Where the config stands, for the record of what it was. */
export function repositoryOf({ folder, file }: Config): StartOptions['repository'] {
  return { folder, file };
}

/** What of the options decides which rows are asked, and how. */
export function settingsOf(
  options: EvaluateOptions,
  { file }: Pick<Config, 'file'>,
): RunRecord['settings'] {
  const { limit, ids, where, maxOutLen, temperature, compat, models, datasets } = options;
  const given = { limit, where, maxOutLen, temperature, compat, models, datasets };
  return {
    ...(file !== undefined && { source: displayPath(file) }),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(ids && { ids: ids instanceof Map ? Object.fromEntries(ids) : [...ids] }),
  };
}
