import { existsSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { type ConfigFlags, configOfFlags } from '../../config/flags.ts';
import { type ConfigOverrides, overrideConfig } from '../../config/override-config.ts';
import { hashFile } from '../../data/source/cache.ts';
import { TypecaseError } from '../../errors.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import { type Evaluations, openEvaluations } from '../../evaluation/open-evaluations.ts';
import { knownModels } from '../../run/known-models.ts';
import { recallLoglikelihoodsOf } from '../../run/loglikelihood-memory.ts';
import type { EvaluationName, StoredRun } from '../../run/store/open-run.ts';
import { dataHashes } from '../../run/store/run-file-parts.ts';
import { inOrder } from '../sweep/change-rows.ts';
import type { SweepCell } from '../sweep/expand-cells.ts';
import { expandRecordedSweep } from './recorded-sweep.ts';

/** An evaluation of a run, opened anew by the config that the run names. Nothing is sent. */
export type Remade = RemadeEvaluation | NotRemade;

export interface RemadeEvaluation {
  readonly type: 'made';
  readonly config: Config;
  readonly evaluation: Evaluation;
  /** Where the run was started: its paths are relative to this. */
  readonly startedIn: string;
  /** What has changed since the run, if that is known. */
  readonly changed: string | undefined;
  readonly close: () => Promise<void>;
}

export interface NotRemade {
  readonly type: 'not-made';
  readonly reason: string;
}

export interface RemadeSelection {
  /** Only these rows; left out: those that the run took. */
  readonly ids?: ReadonlySet<number> | undefined;
  /** Whether what lies in a folder may be opened; left out: all of it. */
  readonly isAllowed?: ((path: string) => boolean) | undefined;
}

/** Opens an evaluation of a run by the config and the data that the run names. */
export async function openRemade(
  run: StoredRun,
  task: EvaluationName,
  { ids, isAllowed = () => true }: RemadeSelection = {},
): Promise<Remade> {
  const recorded = await openRecordedConfig(run, isAllowed);
  if (recorded.type === 'not-made') return recorded;
  try {
    return await open({ run, task, recorded, ids });
  } catch (error) {
    return { type: 'not-made', reason: reasonOf(error, recorded.changed) };
  }
}

/** The config that a run names, as it is now, and what the command of the run set beside it. */
export interface RecordedConfig {
  readonly type: 'made';
  readonly config: Config;
  readonly overrides: ConfigOverrides;
  /** Where the run was started: its paths are relative to this. */
  readonly folder: string;
  /** The name of the config, if it has changed since. */
  readonly changed: string | undefined;
  /** Of a sweep: the datasets of the config are its cells. */
  readonly cells?: readonly SweepCell[] | undefined;
}

/** Opens the config that a run names. */
export async function openRecordedConfig(
  run: StoredRun,
  isAllowed: (path: string) => boolean,
): Promise<RecordedConfig | NotRemade> {
  const flags = recordedFlags(run);
  if (flags === undefined) return { type: 'not-made', reason: noConfig(run) };
  const start = await findStart(run, flags.source, isAllowed);
  if (!start) {
    const reason = `${nameOf(flags.source)} no longer exists where the run was started`;
    return { type: 'not-made', reason };
  }
  if (start === 'refused') {
    const reason = `${nameOf(flags.source)} is outside the folders that may be opened`;
    return { type: 'not-made', reason };
  }
  const { folder } = start;
  const changed = start.hasChanged ? nameOf(flags.source) : undefined;
  try {
    const asked =
      run.file.command === 'sweep'
        ? await expandRecordedSweep(run.file, { source: flags.source, folder })
        : { config: await configOfFlags(flags, { folder }) };
    return { type: 'made', ...asked, overrides: flags, folder, changed };
  } catch (error) {
    return { type: 'not-made', reason: reasonOf(error, changed) };
  }
}

function noConfig({ file: { settings } }: StoredRun): string {
  const { opened } = settings;
  return opened
    ? `it holds results of ${opened.harness}, which were not asked by a config`
    : 'a program started it, and run.json names no config file';
}

/** Does something with an evaluation that was opened anew; what goes wrong is a reason. */
export async function withRemade<Result>(
  remade: RemadeEvaluation,
  use: (remade: RemadeEvaluation) => Promise<Result>,
): Promise<Result | NotRemade> {
  try {
    return await use(remade);
  } catch (error) {
    return { type: 'not-made', reason: reasonOf(error, remade.changed) };
  } finally {
    await remade.close();
  }
}

function reasonOf(error: unknown, changed: string | undefined): string {
  if (!TypecaseError.isInstance(error)) throw error;
  return `${changed === undefined ? '' : `${changed} has changed since the run: `}${error.message}`;
}

interface OpenSettings extends RemadeSelection {
  readonly run: StoredRun;
  readonly task: EvaluationName;
  readonly recorded: RecordedConfig;
}

async function open(settings: OpenSettings): Promise<RemadeEvaluation> {
  const { run, task, recorded } = settings;
  const { folder } = recorded;
  const config = overrideConfig(recorded.config, recorded.overrides);
  const { limit, ids, where } = run.file.settings;
  const evaluations = await openEvaluations(config, {
    purpose: 'plan',
    models: [task.model],
    datasets: [task.dataset],
    ...(settings.ids ? { ids: settings.ids } : { limit, ids: ids && new Set(ids), where }),
    startedIn: folder,
    known: await knownModels(run.path),
    rememberLoglikelihoods: recallLoglikelihoodsOf(run.path),
  });
  const close = () => evaluations.close();
  try {
    const [opened] = evaluations;
    if (!opened) throw new RangeError('Nothing was opened');
    const cell = recorded.cells?.find(({ abbr }) => abbr === task.dataset);
    const evaluation = inOrder(opened, cell?.order);
    const hashes = dataHashes(run.file, task.dataset);
    const changed = recorded.changed ?? (await changedFile(evaluations, hashes));
    return { type: 'made', config, evaluation, startedIn: folder, changed, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The first data file that the run did not read as it is now. */
async function changedFile(
  evaluations: Evaluations,
  recorded: readonly string[],
): Promise<string | undefined> {
  for (const { rows } of evaluations) {
    const { files } = await rows.describe();
    const changed = files.find(({ sha256 }) => !recorded.includes(sha256));
    if (changed) return nameOf(changed.name);
  }
  return undefined;
}

/** A page may be passed on: what lies elsewhere on this machine is named without its folder. */
function nameOf(file: string): string {
  return isAbsolute(file) ? basename(file) : file;
}

/** The options of the run. What they say of pace does not matter: nothing is asked. */
function recordedFlags({ file }: StoredRun): (ConfigFlags & ConfigOverrides) | undefined {
  const { source, ...settings } = file.settings;
  return source === undefined ? undefined : { ...settings, source };
}

/** The folder in which a run was started. */
interface Start {
  readonly folder: string;
  /** Whether the config is another one now. */
  readonly hasChanged: boolean;
}

/**
 * Finds the folder that the source of a run is relative to: where the command was started or, if all
 * was moved together, what lies there now as seen from the run. The one with the same config wins.
 */
async function findStart(
  run: StoredRun,
  source: string,
  isAllowed: (path: string) => boolean,
): Promise<Start | 'refused' | undefined> {
  const { folder, folderFromRun = '', configSha256 } = run.file;
  const all = folder === undefined ? [process.cwd()] : [folder, resolve(run.path, folderFromRun)];
  const known = all.filter((one) => existsSync(one));
  const there = known.filter((one) => isAllowed(one) && isAllowed(resolve(one, source)));
  if (there.length === 0 && known.length > 0) return 'refused';
  const having = there.filter((one) => existsSync(resolve(one, source)));
  const [first] = configSha256 === undefined ? [...having, ...there] : having;
  if (first === undefined || configSha256 === undefined) {
    return first === undefined ? undefined : { folder: first, hasChanged: false };
  }
  for (const one of having) {
    if ((await hashFile(resolve(one, source))) === configSha256) {
      return { folder: one, hasChanged: false };
    }
  }
  return { folder: first, hasChanged: true };
}
