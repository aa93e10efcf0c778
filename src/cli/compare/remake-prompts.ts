import { basename, isAbsolute } from 'node:path';
import { TypecaseError } from '../../errors.ts';
import { contentText, type Prompt } from '../../prompt/index.ts';
import { withoutCalls } from '../plan/without-calls.ts';
import { type BuiltTask, buildTasks } from '../run/build-tasks.ts';
import { openRun } from '../run/open-run.ts';
import type { RunOptions } from '../run/run-options.ts';
import type { SavedRun } from '../score/recorded-run.ts';
import { askedRows } from '../score/score-tasks.ts';
import { findStart } from './find-start.ts';
import { dataHashes, detailsOf } from './recorded-details.ts';
import type { RunTask } from './run-side.ts';

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
}

/** Makes the prompts of some rows by the config that the run names. Nothing is sent. */
export async function remakePrompts(
  { saved, task }: { readonly saved: SavedRun; readonly task: RunTask },
  ids: ReadonlySet<number>,
): Promise<RemadePrompts> {
  const options = recordedOptions(saved);
  if (options === undefined) return { type: 'not-made', reason: 'run.json does not name a config' };
  const { source } = options;
  const start = await findStart(saved, source);
  if (!start) {
    return { type: 'not-made', reason: `${nameOf(source)} is gone from where the run was started` };
  }
  const config = start.hasChanged ? nameOf(source) : undefined;
  try {
    const made = await startedIn(start.folder, () => makePrompts({ saved, task, options }, ids));
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

/** Does something as if the command had been started in a folder: paths of a run are relative to it. */
async function startedIn<Result>(folder: string, step: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await step();
  } finally {
    process.chdir(before);
  }
}

/** The options of the run. What they say of pace does not matter: nothing is asked. */
function recordedOptions(saved: SavedRun): RunOptions | undefined {
  const { settings = {} } = detailsOf(saved);
  const { ids, source } = settings;
  if (typeof source !== 'string') return undefined;
  return { ...settings, source, json: false, ...(Array.isArray(ids) && { ids: new Set(ids) }) };
}

interface MakeSettings {
  readonly saved: SavedRun;
  readonly task: RunTask;
  readonly options: RunOptions;
}

async function makePrompts(
  { saved, task, options }: MakeSettings,
  ids: ReadonlySet<number>,
): Promise<MadePrompts> {
  const opened = await openRun(options);
  const wanted = {
    ...opened,
    models: opened.models.filter(({ abbr }) => abbr === task.model),
    datasets: opened.datasets.filter(({ abbr }) => abbr === task.dataset),
  };
  const built = await buildTasks(await withoutCalls(wanted, saved.folder), saved.folder, options);
  for (const { model } of built) await model.close();
  const prompts = new Map<number, RemadePrompt>();
  const tasks = built.flatMap((model) => model.tasks);
  for (const { settings } of tasks) {
    for await (const { id, prompt, shown } of askedRows(settings)) {
      if (ids.has(id)) prompts.set(id, { hash: prompt, text: promptText(shown) });
      if (prompts.size === ids.size) break;
    }
  }
  return { prompts, changed: await changedFile(tasks, dataHashes(detailsOf(saved), task.dataset)) };
}

/** The first data file that the run did not read as it is now. */
async function changedFile(
  tasks: readonly BuiltTask[],
  recorded: readonly string[],
): Promise<string | undefined> {
  for (const { rows } of tasks) {
    const { files } = await rows.stream.describe();
    const changed = files.find(({ sha256 }) => !recorded.includes(sha256));
    if (changed) return nameOf(changed.name);
  }
  return undefined;
}

function promptText(prompt: Prompt): string {
  if (prompt.type === 'text') return prompt.text;
  return prompt.messages
    .map(({ role, content }) => `[${role}]\n${contentText(content)}`)
    .join('\n');
}
