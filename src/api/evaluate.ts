import { dirname, resolve } from 'node:path';
import { displayPath } from '../base/display-path.ts';
import { UsageError } from '../base/usage-error.ts';
import type { Config } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { toConfig } from '../config/load-config.ts';
import { type ConfigOverrides, overrideConfig } from '../config/override-config.ts';
import { defaultRunFolder } from '../config/run-defaults.ts';
import { type LocatedDiagnostic, locateDiagnostic, withLocation } from '../config/with-location.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { type Evaluations, openEvaluations } from '../evaluation/open-evaluations.ts';
import type { OpenOptions } from '../evaluation/opening.ts';
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
import type { RunReach } from '../run/run-control.ts';
import type { PromptLog } from '../run/saved-prompts.ts';
import type { Spending } from '../run/spending.ts';
import type { StartOptions } from '../run/start-record.ts';
import { describeRun, type RunRecord } from '../run/store/describe-run.ts';
import type { StoredRun } from '../run/store/open-run.ts';
import type { Problems } from '../run/store/record-problem.ts';
import { openRunFolder, type RunFolder } from '../run/store/run-folder.ts';
import type { BaselineResult, RunSummary } from '../run/summary.ts';
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
  /**
   * Called with the folder when all of its files are written, to hold the run against an earlier one:
   * what that comes to is written into them.
   */
  readonly holdAgainst?: ((folder: string) => Promise<BaselineResult>) | undefined;
  /** Keeps what was asked beside the answers: prompts can then be looked at without config and data. */
  readonly savePrompts?: boolean | undefined;
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
  /** What may be wrong with templates and data, such as a placeholder that is no column, with its place. */
  readonly diagnostics: readonly LocatedDiagnostic[];
}

/**
 * Asks the models of a config the rows of its datasets, scores the answers, and saves everything in
 * a run folder, like `typecase run`. Answers that the folder already has are reused.
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
  const { evaluations, spending, reach, verdicts, close } = await openToRun(path, config, options);
  try {
    spending?.requirePrices(evaluations);
    await requireGates(evaluations, { config, options });
    options.onOpen?.(evaluations);
    const folder = await openRunFolder(path);
    const saved = options.savePrompts ? await keepPrompts(folder, evaluations) : undefined;
    try {
      const parts = { config, options, spending, reach, verdicts };
      const asked = saved?.evaluations ?? evaluations;
      const { summary, problems, oldLoglikelihoods } = await runIn(folder, asked, parts);
      const diagnostics = evaluations.flatMap((evaluation) =>
        evaluation.diagnostics.map((one) => locateDiagnostic(config.written, one)),
      );
      const rows = rowsOf(path);
      return { folder: path, summary, rows, problems, oldLoglikelihoods, diagnostics };
    } finally {
      await saved?.close();
      await folder.unlock();
    }
  } finally {
    await close();
  }
}

/** Evaluations whose models may be asked, with what counts their costs and keeps what was said. */
export async function openToRun(
  path: string,
  config: Config,
  options: EvaluateOptions & Pick<OpenOptions, 'known'>,
) {
  const memory = keepLikelihoods(path);
  const spending = await openSpending(options);
  const reach = await openReach(options, { path, config });
  const verdicts = keepVerdicts(path, options);
  const close = async (opened?: Evaluations) => {
    await memory.close();
    await verdicts.close();
    await opened?.close();
    await reach?.close();
  };
  const evaluations = await openEvaluations(config, {
    ...options,
    purpose: 'run',
    rememberLoglikelihoods: memory.remember,
    meter: meterOf({ spending, reach }),
    askJudge: verdicts.ask,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { evaluations, spending, reach, verdicts, close: () => close(evaluations) };
}

/** Evaluations whose prompts are kept as they are planned. */
async function keepPrompts(folder: RunFolder, evaluations: Evaluations) {
  const { mkdir } = await import('node:fs/promises');
  const saved = await import('../run/saved-prompts.ts');
  const logs: PromptLog[] = [];
  const watched: Evaluation[] = [];
  for (const evaluation of evaluations) {
    const logFile = folder.logFile(evaluation.modelName, evaluation.task.name);
    await mkdir(dirname(logFile), { recursive: true });
    const log = await saved.PromptLog.open(logFile);
    logs.push(log);
    watched.push(log.watch(evaluation));
  }
  return {
    evaluations: watched,
    close: async () => {
      for (const log of logs) await log.close();
    },
  };
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
  await checkGates(
    [...evaluations].map(({ modelName: model, task: { name }, scorer, type, rows }) => ({
      model,
      dataset: datasets.find(({ abbr }) => abbr === name) ?? { abbr: name },
      scorer,
      rows,
      isComposite: type === 'composite',
      failUnder: gateOf({ model, dataset: name }, { config, options }).failUnder,
    })),
  );
}

/** What keeps the cost of a run below its limit, if it has one. */
async function openSpending({ maxCost }: ExecuteOptions): Promise<Spending | undefined> {
  if (maxCost === undefined) return undefined;
  const { Spending } = await import('../run/spending.ts');
  return new Spending(maxCost);
}

/** A way to have models asked by others, which stands in for the models. */
export interface Reach extends RunReach {
  readonly meter: NonNullable<OpenOptions['meter']>;
  readonly close: () => Promise<void>;
}

/** Who asks the models of a run, if it is not the run itself. */
async function openReach(
  { queue, batch, fresh }: ExecuteOptions,
  run: { readonly path: string; readonly config: Config },
): Promise<Reach | undefined> {
  if (queue !== undefined && batch) {
    throw new UsageError('batch.and_queue', 'a run can use a queue or batches, not both', {
      hint: 'Leave out `--queue` or `--batch`.',
    });
  }
  if (queue !== undefined) {
    const { Fleet } = await import('../queue/fleet.ts');
    return Fleet.open(queue, { ...run, isFresh: fresh });
  }
  return batch ? (await import('../batch/batches.ts')).Batches.open(run) : undefined;
}

/** What stands between a run and its models. */
function meterOf({
  spending,
  reach,
}: {
  readonly spending: Spending | undefined;
  readonly reach: Reach | undefined;
}): OpenOptions['meter'] {
  if (!spending || !reach) return spending?.meter ?? reach?.meter;
  return (model, ...given) => spending.meter(reach.meter(model, ...given), ...given);
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
  readonly reach: Reach | undefined;
  readonly verdicts: RunVerdicts;
}

async function runIn(
  folder: RunFolder,
  evaluations: readonly Evaluation[],
  { config, options, spending, reach, verdicts }: RunParts,
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
  const { rowsThatMayFail, withGates } = await import('./with-gates.ts');
  const mayFail = (own: readonly Evaluation[]) => rowsThatMayFail(own, { options, config });
  const ended = await start.follow(() =>
    executeWork(work, folder, { ...options, groups, verdicts, start, reach, mayFail }),
  );
  const held = withGates(spending?.addTo(ended.summary) ?? ended.summary, { options, config });
  let outcome = { ...ended, summary: held };
  const { failure } = outcome;
  if (failure === undefined || hasAnswers(held)) {
    const { writeResults } = await import('./write-results.ts');
    let shown = await writeResults(folder, outcome);
    if (failure === undefined && options.holdAgainst) {
      const baseline = await options.holdAgainst(folder.path);
      outcome = { ...ended, summary: { ...held, baseline } };
      shown = await writeResults(folder, outcome);
    }
    await options.onSummary?.(outcome.summary, shown);
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
