import { existsSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { type ConfigFlags, configOfFlags } from '../../config/flags.ts';
import { type ConfigOverrides, overrideConfig } from '../../config/override-config.ts';
import { hashFile } from '../../data/source/cache.ts';
import { TypecaseError } from '../../errors.ts';
import { promptText, shownPrompt } from '../../evaluation/asked.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import { openEvaluations } from '../../evaluation/open-evaluations.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { knownModels } from '../../run/known-models.ts';
import { recallLoglikelihoodsOf } from '../../run/loglikelihood-memory.ts';
import type { StoredRun } from '../../run/store/open-run.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { dataHashes } from '../../run/store/run-file-parts.ts';
import { askedRows } from '../rescore/scored-evaluations.ts';
import type { SideEvaluation } from './run-side.ts';

/** What rows were asked, made anew: the logs hold hashes of prompts only. */
export type RemadePrompts =
  | ({ readonly type: 'made' } & MadePrompts)
  | { readonly type: 'not-made'; readonly reason: string };

interface MadePrompts {
  readonly prompts: ReadonlyMap<number, RemadePrompt>;
  /** What has changed since the run, if that is known. */
  readonly changed: string | undefined;
}

export interface RemadePrompt {
  readonly hash: string;
  readonly text: string;
  /** Of a dialogue: what each turn was asked. */
  readonly turns?: readonly string[];
}

/** The rows whose prompts are wanted; of dialogues with the lines of their turns. */
export interface WantedRows {
  readonly ids: ReadonlySet<number>;
  readonly turns?: ReadonlyMap<number, readonly RowRecord[]> | undefined;
}

/** Makes the prompts of some rows by the config that the run names. Nothing is sent. */
export async function remakePrompts(
  { run, task }: { readonly run: StoredRun; readonly task: SideEvaluation },
  wanted: WantedRows,
): Promise<RemadePrompts> {
  const flags = recordedFlags(run);
  if (flags === undefined) return { type: 'not-made', reason: 'run.json does not name a config' };
  const { source } = flags;
  const start = await findStart(run, source);
  if (!start) {
    return { type: 'not-made', reason: `${nameOf(source)} is gone from where the run was started` };
  }
  const config = start.hasChanged ? nameOf(source) : undefined;
  try {
    const made = await makePrompts({ run, task, flags, folder: start.folder }, wanted);
    const changed = config ?? made.changed;
    return { type: 'made', ...made, changed };
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    const since = config === undefined ? '' : `${config} has changed since the run: `;
    return { type: 'not-made', reason: `${since}${error.message}` };
  }
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

interface MakeSettings {
  readonly run: StoredRun;
  readonly task: SideEvaluation;
  readonly flags: ConfigFlags & ConfigOverrides;
  /** Where the run was started: its paths are relative to this. */
  readonly folder: string;
}

async function makePrompts(
  { run, task, flags, folder }: MakeSettings,
  wanted: WantedRows,
): Promise<MadePrompts> {
  const config = overrideConfig(await configOfFlags(flags, { folder }), flags);
  const { limit, ids, where } = run.file.settings;
  const evaluations = await openEvaluations(config, {
    purpose: 'plan',
    models: [task.model],
    datasets: [task.dataset],
    limit,
    ids: ids && new Set(ids),
    where,
    startedIn: folder,
    known: await knownModels(run.path),
    rememberLoglikelihoods: recallLoglikelihoodsOf(run.path),
  });
  try {
    const prompts = new Map<number, RemadePrompt>();
    for (const evaluation of evaluations) {
      for await (const { plan } of askedRows(evaluation)) {
        const id = Number(plan.id);
        const [first] = plan.requests;
        if (wanted.ids.has(id) && first) {
          const text = promptText(shownPrompt(first.asked));
          const turns = await remakeTurns(evaluation, plan, wanted.turns?.get(id));
          prompts.set(id, { hash: plan.promptHash, text, ...(turns && { turns }) });
        }
        if (prompts.size === wanted.ids.size) break;
      }
    }
    const hashes = dataHashes(run.file, task.dataset);
    return { prompts, changed: await changedFile(evaluations, hashes) };
  } finally {
    await evaluations.close();
  }
}

/** What the turns of a dialogue were asked, after the answers that it had. */
async function remakeTurns(
  { plan }: Evaluation,
  row: PositionedRow,
  lines: readonly RowRecord[] | undefined,
): Promise<string[] | undefined> {
  if (!lines) return undefined;
  const answers = lines.map(({ answer = '' }) => answer);
  const turns: string[] = [];
  for (const index of answers.keys()) {
    const [request] = (await plan(row, answers.slice(0, index))).requests;
    if (request) turns.push(promptText(shownPrompt(request.asked)));
  }
  return turns;
}

/** The first data file that the run did not read as it is now. */
async function changedFile(
  evaluations: readonly Evaluation[],
  recorded: readonly string[],
): Promise<string | undefined> {
  for (const { rows } of evaluations) {
    const { files } = await rows.describe();
    const changed = files.find(({ sha256 }) => !recorded.includes(sha256));
    if (changed) return nameOf(changed.name);
  }
  return undefined;
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
async function findStart(run: StoredRun, source: string): Promise<Start | undefined> {
  const { folder, folderFromRun = '', configSha256 } = run.file;
  const all = folder === undefined ? [process.cwd()] : [folder, resolve(run.path, folderFromRun)];
  const there = all.filter((one) => existsSync(one));
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
