import { existsSync } from 'node:fs';
import { TypecaseError } from '../../errors.ts';
import { contentText, type Prompt } from '../../prompt/index.ts';
import { displayPath } from '../display-path.ts';
import { withoutCalls } from '../plan/without-calls.ts';
import { buildTasks } from '../run/build-tasks.ts';
import { openRun } from '../run/open-run.ts';
import type { RunOptions } from '../run/run-options.ts';
import type { SavedRun } from '../score/recorded-run.ts';
import { askedRows } from '../score/score-tasks.ts';
import { detailsOf } from './recorded-details.ts';
import type { RunTask } from './run-side.ts';

/** What rows were asked, made anew: the logs hold hashes of prompts only. */
export type RemadePrompts =
  | { readonly type: 'made'; readonly prompts: ReadonlyMap<number, RemadePrompt> }
  | { readonly type: 'not-made'; readonly reason: string };

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
  if (!/^https?:/i.test(source) && !existsSync(source)) {
    return { type: 'not-made', reason: `there is no ${displayPath(source)} here` };
  }
  try {
    return { type: 'made', prompts: await makePrompts({ saved, task, options }, ids) };
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    return { type: 'not-made', reason: error.message };
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
): Promise<Map<number, RemadePrompt>> {
  const opened = await openRun(options);
  const wanted = {
    ...opened,
    models: opened.models.filter(({ abbr }) => abbr === task.model),
    datasets: opened.datasets.filter(({ abbr }) => abbr === task.dataset),
  };
  const built = await buildTasks(await withoutCalls(wanted, saved.folder), saved.folder, options);
  for (const { model } of built) await model.close();
  const prompts = new Map<number, RemadePrompt>();
  for (const { settings } of built.flatMap(({ tasks }) => tasks)) {
    for await (const { id, prompt, shown } of askedRows(settings)) {
      if (ids.has(id)) prompts.set(id, { hash: prompt, text: promptText(shown) });
      if (prompts.size === ids.size) break;
    }
  }
  return prompts;
}

function promptText(prompt: Prompt): string {
  if (prompt.type === 'text') return prompt.text;
  return prompt.messages
    .map(({ role, content }) => `[${role}]\n${contentText(content)}`)
    .join('\n');
}
