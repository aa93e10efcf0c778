import { statSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath } from '../../base/display-path.ts';
import { lockOwner } from '../../run/store/lock.ts';
import { readJsonFile } from '../../run/store/run-file.ts';
import { progressFileName, rowFiles } from '../../run/store/run-folder.ts';
import type { RunDetails } from './api.ts';
import { stateOf } from './list-runs.ts';
import type { OpenedRun } from './opened-run.ts';

/** What a run was, and what it came to. */
export async function runDetails(opened: OpenedRun, id: string): Promise<RunDetails> {
  const { run } = opened;
  const sweep = await readJsonFile(join(run.path, 'sweep.json')).catch(() => undefined);
  const owner = await lockOwner(run.path);
  const state = await stateOf(run);
  return {
    id,
    folder: displayPath(run.path),
    state,
    file: { ...run.file },
    ...(run.summary && { summary: { ...run.summary } }),
    evaluations: run.evaluations.map((name) => ({
      ...name,
      data: opened.dataNumber(name),
      bytes:
        statSync(rowFiles(run.path, name.model, name.dataset).logFile, { throwIfNoEntry: false })
          ?.size ?? 0,
    })),
    ...(isObject(sweep) && { sweep }),
    ...(owner && {
      live: {
        owner: owner.text,
        canStop: owner.pid !== undefined,
        ...(await progressOf(run.path)),
      },
    }),
    canResume: state === 'incomplete' && run.file.settings.source !== undefined,
  };
}

type Live = NonNullable<RunDetails['live']>;

/** What the process said last; old news are none. */
const newsMs = 10_000;

async function progressOf(path: string): Promise<Pick<Live, 'progress'>> {
  const told = await readJsonFile(join(path, progressFileName)).catch(() => undefined);
  if (!isObject(told) || typeof told.at !== 'number' || Date.now() - told.at > newsMs) return {};
  const { at: _, ...progress } = told;
  return { progress: progress as Live['progress'] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
